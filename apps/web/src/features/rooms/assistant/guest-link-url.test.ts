import { expect, it } from 'vitest';
import { guestLinkUrl } from './guest-link-url.ts';

const link = {
  origin: 'https://weir.example',
  locale: 'zh',
  created: '2026-01-01T00:00:00.000Z',
  random: '0a1b2c3d',
  username: 'Ada & Bob',
  language: 'en',
  room: 'room-1',
  roomToken: 'token-1',
} as const;

const namesOf = (url: string) => [...new URL(url).searchParams.keys()];

it('has escaped parameters in the specified order', () => {
  const url = guestLinkUrl({ ...link, page: 'dictation' });
  expect(new URL(url).pathname).toBe('/mgmt/zh/routers-popout');
  expect([...new URL(url).searchParams]).toEqual([
    ['app', 'ai-talk'],
    ['popout', '1'],
    ['assistant', '1'],
    ['created', '2026-01-01T00:00:00.000Z'],
    ['random', '0a1b2c3d'],
    ['username', 'Ada & Bob'],
    ['language', 'en'],
    ['pattern', 'dictation'],
    ['room', 'room-1'],
    ['roomToken', 'token-1'],
  ]);
});

it('leaves out empty parameters', () => {
  const url = guestLinkUrl({ ...link, page: 'chat', username: '', language: '' });
  expect(namesOf(url)).toEqual(['app', 'popout', 'assistant', 'created', 'random', 'pattern', 'room', 'roomToken']);
});

it('gives readers neither name nor pattern', () => {
  const url = guestLinkUrl({ ...link, page: 'transcript' });
  expect(namesOf(url)).toEqual(['app', 'popout', 'assistant', 'created', 'random', 'room', 'roomToken']);
  expect(new URL(url).searchParams.get('assistant')).toBe('0');
});
