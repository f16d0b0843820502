import { writePlaybackToken } from '@weir/plane';
import { defaultVhost, openAccess, type PlayRule } from '@weir/streams';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AccessGate } from '../../hub/access-gate.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { FakeGate, sample } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from './hls.fixture.ts';

const key = { id: 'k', secret: 's'.repeat(43) };
const playback = 'abcdefgh12345678';
const place = { vhost: defaultVhost, app: 'live', name: 'show' };
const rule: PlayRule = {
  id: 'r',
  pattern: '/live/show',
  mode: 'link',
  sites: [],
  networks: [],
  maxViewers: 0,
  maxPerLink: 0,
  passwordId: '',
  tokenKeys: [],
};
const access = { rules: [rule], keys: [key], revoked: [], playbacks: [{ id: playback, place }] };
const expiresAt = Math.floor(Date.now() / 1000) + 600;
const token = (id: string) =>
  writePlaybackToken(key, { playback, stream: '', id, startsAt: 0, expiresAt, devices: 0, address: '' });

async function openProtected() {
  const clients = new Clients();
  const ask = vi.fn(async () => undefined);
  const gate = new AccessGate({ gate: new FakeGate(), ask, clients });
  onTestFinished(() => gate.close());
  const opened = await openHls({ access: gate, gate, clients });
  opened.hls.edges.set('edge token');
  opened.source.play(sample(9));
  await opened.streams.find('live/show')?.idle();
  gate.set(access);
  return { ...opened, access: gate };
}

const path = (uri: string) => `/live/${uri}`;

it('opens playlists to a token and pieces to their signature, which all viewers share', async () => {
  const { get } = await openProtected();
  expect((await get('/live/show.m3u8')).status).toBe(403);
  const pieces = async (id: string) => {
    const [variant = ''] = urisOf((await get(`/live/show.m3u8?token=${token(id)}`)).text);
    return urisOf((await get(path(variant))).text);
  };
  const [mine, others] = [await pieces('one'), await pieces('two')];
  expect(mine).toEqual(others);
  const [first = ''] = mine;
  expect((await get(path(first))).status).toBe(200);
  expect((await get(path(first.replace(/\?.*/, '')))).status).toBe(403);
});

it('answers edges that ask for a viewer, and sends playlists only to edges that do', async () => {
  const { get } = await openProtected();
  const ask = async (query: string, how: string) => {
    const headers = { 'x-weir-edge': 'edge token', ...(how && { 'x-weir-edge-access': how }) };
    return (await get(`/live/show.m3u8${query}`, { headers })).status;
  };
  expect(await ask(`?token=${token('one')}`, 'ask')).toBe(204);
  expect(await ask('', 'ask')).toBe(403);
  expect(await ask('', 'checked')).toBe(200);
  expect(await ask(`?token=${token('one')}`, '')).toBe(403);
  const stranger = { 'x-weir-edge': 'wrong', 'x-weir-edge-access': 'ask' };
  expect((await get(`/live/show.m3u8?token=${token('one')}`, { headers: stranger })).status).toBe(403);
  const absent = { 'x-weir-edge': 'edge token', 'x-weir-edge-access': 'ask' };
  expect((await get('/live/none.m3u8', { headers: absent })).status).toBe(204);
});

it('takes no invented signature of a piece from an edge, so that no cache is filled with copies', async () => {
  const { get, access: gate } = await openProtected();
  gate.set(openAccess);
  const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
  const headers = { 'x-weir-edge': 'edge token' };
  expect((await get(path(uri), { headers })).status).toBe(200);
  expect((await get(`${path(uri)}?sign=abc.${'A'.repeat(22)}`, { headers })).status).toBe(403);
});

it('ends a session whose link is revoked, and names the stream by its playback id', async () => {
  const { get, access: gate } = await openProtected();
  const master = await get(`/play/${playback}.m3u8?token=${token('one')}`);
  const [variant = ''] = urisOf(master.text);
  const list = await get(`/play/${variant}`);
  expect([list.status, `${master.text}${list.text}`.includes('show')]).toEqual([200, false]);
  const [first = ''] = urisOf(list.text);
  expect((await get(`/play/${first}`)).status).toBe(200);
  expect(gate.linkViewers()).toEqual({ links: [{ id: 'one', viewers: 1 }] });
  gate.set({ ...access, revoked: ['one'] });
  expect((await get(`/play/${variant}`)).status).toBe(403);
  expect((await get(`/play/${first}`)).status).toBe(403);
  expect(gate.linkViewers()).toEqual({ links: [] });
});
