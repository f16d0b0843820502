import { accessLimits } from '@weir/contract';
import type { PlayAccess } from '@weir/streams';
import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  const save = (rule: object) => server.call('mgmt/access/update', { pattern: 'live/stage', mode: 'link', ...rule });
  const link = (more: object = {}) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    return server.call('mgmt/access/link', { app: 'live', stream: 'stage', expiresAt, ...more });
  };
  /** Newest rules that the engine received. */
  const pushed = (): PlayAccess | undefined =>
    mediaServer.applied.findLast(({ playAccess }) => playAccess !== undefined)?.playAccess;
  return { ...server, mediaServer, save, link, pushed };
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

it('makes links by playback id, lists them with their viewers, and revokes one', async () => {
  const { call, save, link, pushed, mediaServer } = await open();
  expect(await save({})).toMatchObject({ code: 0, data: { pattern: '/live/stage', hasPassword: false } });
  const { data: press } = await link({ label: 'Press', devices: 2 });
  expect(press).toMatchObject({ label: 'Press', app: 'live', stream: 'stage', state: 'valid', devices: 2, viewers: 0 });
  expect(claimsOf(press.token)).toMatchObject({ sub: press.playback, jti: press.id, dev: 2 });
  expect(JSON.stringify(claimsOf(press.token))).not.toContain('stage');
  const { data: later } = await link({ startsAt: new Date(Date.now() + 60_000).toISOString() });
  expect(later).toMatchObject({ state: 'waiting', playback: press.playback });
  mediaServer.linksInUse = [{ id: press.id, viewers: 3 }];
  const list = async () => (await call('mgmt/access/links')).data.links;
  expect(await list()).toContainEqual(expect.objectContaining({ id: press.id, viewers: 3, token: press.token }));
  await call('mgmt/access/revoke', { id: press.id });
  expect(await list()).toContainEqual(expect.objectContaining({ id: press.id, state: 'revoked', token: '' }));
  expect(pushed()).toMatchObject({ revoked: [press.id], rules: [{ pattern: '/live/stage', mode: 'link' }] });
  expect((await call('mgmt/access/revoke', { id: 'none' })).code).toBe(1003);
});

it('signs with a new key on request, and keeps the one that links need', async () => {
  const { call, save, link, pushed } = await open();
  await save({});
  const { data: first } = await link();
  await call('mgmt/access/key');
  const { data: second } = await link();
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  expect(kid(first.token)).not.toBe(kid(second.token));
  expect(pushed()?.keys.map(({ id }) => `weir.${id}`)).toEqual([kid(first.token), kid(second.token)]);
});

it('exchanges a password for a token, shows neither, and reveals only what a viewer needs', async () => {
  const { call, post, save, pushed } = await open();
  const { data: rule } = await save({ mode: 'password', password: 'open sesame' });
  const { data } = await call('mgmt/access/playback', { app: 'live', stream: 'stage' });
  const watch = (path: string, body: object) => post(`/terraform/v1/watch/${path}`, { ...data, ...body });
  expect((await watch('query', {})).data).toMatchObject({
    ...data,
    mode: 'password',
    isLive: false,
    refusal: 'no-token',
  });
  expect((await watch('unlock', { password: 'wrong' })).status).toBe(401);
  const { token } = (await watch('unlock', { password: 'open sesame' })).data;
  const before = pushed()?.rules[0]?.passwordId;
  expect(claimsOf(token).jti).toBe(`password.${before}`);
  await save({ id: rule.id, mode: 'password', password: 'another word' });
  expect(pushed()?.rules[0]?.passwordId).not.toBe(before);
  expect((await watch('unlock', { password: 'open sesame' })).status).toBe(401);
  expect(JSON.stringify(await call('mgmt/access/query'))).not.toMatch(/another|scrypt/);
  expect((await post('/terraform/v1/watch/query', { playback: 'abcdefgh12345678' })).status).toBe(404);
});

it.each([
  ['a password rule without a password', { mode: 'password' }],
  ['a token rule without a secret', { mode: 'token' }],
  ['a token rule without the URL of its keys', { mode: 'token', algorithm: 'RS256' }],
  ['a callback rule without a receiver', { mode: 'callback' }],
  ['a pattern that is none', { pattern: '/live/[' }],
  ['a network that is none', { networks: ['192.0.2.0/33'] }],
  ['a site with a path', { sites: ['example.com/page'] }],
])('refuses %s', async (_what, rule) => {
  const { save, call } = await open();
  expect((await save(rule)).status).toBe(422);
  expect((await call('mgmt/access/query')).data.rules).toEqual([]);
});

it('saves no rule that a separate SRS would not keep to', async () => {
  const { save, mediaServer } = await open();
  mediaServer.lacks = ['access'];
  expect((await save({})).status).toBe(503);
});

it('lists the links of one stream, and puts rules into the order that was asked for', async () => {
  const { call, save, link, pushed } = await open();
  const { data: first } = await save({ pattern: '/live/a*' });
  const { data: second } = await save({ pattern: '/live/*' });
  await link();
  const { data: other } = await link({ stream: 'other' });
  const { links } = (await call('mgmt/access/links', { app: 'live', stream: 'other' })).data;
  expect(links.map(({ id }: { id: string }) => id)).toEqual([other.id]);
  expect((await call('mgmt/access/links')).data.links).toHaveLength(2);
  await call('mgmt/access/order', { ids: [second.id, 'unknown'] });
  expect(pushed()?.rules.map(({ id }) => id)).toEqual([second.id, first.id]);
});

it('refuses a further signing key while links need all that may be kept', async () => {
  const { call, save, link, pushed } = await open();
  await save({});
  for (let made = 1; made < accessLimits.keys; made++) {
    await link();
    expect((await call('mgmt/access/key')).code).toBe(0);
  }
  await link();
  expect((await call('mgmt/access/key')).status).toBe(422);
  expect(pushed()?.keys).toHaveLength(accessLimits.keys);
});
