import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';

const none = { chat: '', social: '', source: '', group: '', video: '', community: '' };

it('the contact page has no addresses at first, stores given ones, and clears empty ones', async () => {
  const { call } = await createReadyApp();
  expect((await call('mgmt/contact/query')).data).toEqual(none);
  await call('mgmt/contact/update', { chat: ' https://chat.example/weir ', video: 'http://video.example/1' });
  await call('mgmt/contact/update', { video: '' });
  expect((await call('mgmt/contact/query')).data).toEqual({ ...none, chat: 'https://chat.example/weir' });
});

it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'chat', `https://a.example/${'x'.repeat(500)}`])(
  'refuses %.30s as an address',
  async (chat) => {
    const { call } = await createReadyApp();
    expect(await call('mgmt/contact/update', { chat })).toMatchObject({ status: 422, code: 1004 });
    expect((await call('mgmt/contact/query')).data).toEqual(none);
  },
);
