import { expect, it } from 'vitest';
import { findDraftProblems, type OutletDraft, toOutlet } from './outlet-draft.ts';

const own = { server: 'rtmp://localhost/live/', aliases: ['rtmp://localhost/live'], publishSecret: 's3cret' };
const draft: OutletDraft = { preset: 'youtube', server: 'rtmp://a.test/live2', secret: 'k', ownName: '', label: '' };
const wx = { platform: 'wx', locale: 'en', own };
const numbered = { ...wx, platform: 'forwarding-4-a1b2c3' };

it('becomes the slot of its platform, or a custom one elsewhere', () => {
  expect(toOutlet(draft, wx)).toEqual({
    platform: 'wx',
    server: 'rtmp://a.test/live2',
    secret: 'k',
    custom: false,
    label: '',
  });
  expect(toOutlet({ ...draft, label: ' Second ' }, numbered)).toMatchObject({ custom: true, label: 'Second' });
  expect(toOutlet({ ...draft, preset: 'own', ownName: 'door', label: 'Door' }, numbered)).toMatchObject({
    server: 'rtmp://localhost/live/',
    secret: 'door?secret=s3cret',
    custom: true,
  });
});

it.each([
  [{}, wx, {}],
  [{ server: '' }, wx, { server: 'missing' }],
  [{ server: '/tmp/out.flv' }, wx, { server: 'scheme' }],
  [{ server: 'rtmp://a b' }, numbered, { server: 'invalid', label: 'label' }],
  [{ preset: 'own', server: '', ownName: 'a/b', label: 'A' }, numbered, { ownName: 'name' }],
  [{ preset: 'server', label: '' }, wx, { label: 'label' }],
] as const)('with %j in %j has the problems %j', (change, place, problems) => {
  expect(findDraftProblems({ ...draft, ...change }, place)).toEqual(problems);
});
