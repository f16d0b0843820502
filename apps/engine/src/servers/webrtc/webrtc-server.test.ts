import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { ownTicket, rtcTestTicket, writePlaybackToken } from '@weir/plane';
import { openAccess, type PlayRule } from '@weir/streams';
import { PeerConnection, Video } from 'node-datachannel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workersOf } from '../../../../../tests/weir.fixture.ts';
import { serveHttp } from '../../http/http-server.fixture.ts';
import { Reply } from '../../http/reply.ts';
import { AccessGate } from '../../hub/access-gate.ts';
import { Admission } from '../../hub/clients/admission.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { client, place } from '../../hub/frames.fixture.ts';
import { Hub } from '../../hub/hub.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { WebRtcServer } from './webrtc-server.ts';

const ownToken = 'own-token';
const stream = `?app=${place.app}&stream=${place.name}`;

const linkOnly: PlayRule = {
  id: 'r',
  pattern: `/${place.app}/${place.name}`,
  mode: 'link',
  sites: [],
  networks: [],
  maxViewers: 0,
  maxPerLink: 0,
  passwordId: '',
  tokenKeys: [],
};

/** WebRTC behind a plain HTTP server. */
async function open(rtcTransport: 'own' | 'library', port = 0, rtcWorkers = 1, access?: AccessGate) {
  const hub = new Hub({ returnMs: 60_000 });
  const log = quietLog.child({}, { level: 'fatal' });
  const admission = new Admission({ hub, gate: access ?? new FakeGate(), ...(access && { access }), log });
  const config = {
    rtc: { host: '127.0.0.1', port },
    rtcTransport,
    rtcWorkers,
    published: { http: '', https: '', rtmp: '', srt: '', rtc: '' },
    candidate: '127.0.0.1',
    nameLookup: false,
    inDocker: false,
    trustedProxies: [],
  };
  const server = new WebRtcServer({ admission, viewOf: (each) => each, config, log, ownToken });
  await server.open();
  const reply = new Reply('1.2.3');
  const origin = `http://127.0.0.1:${await serveHttp((req, res) => server.serve(req, res, reply))}`;
  onTestFinished(async () => {
    hub.close();
    await server.close();
  });
  const call = (path: string, init: RequestInit = { method: 'POST' }) => fetch(`${origin}${path}`, init);
  const offer = (path: string, body: string) =>
    call(path, { method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body });
  return { hub, server, call, offer };
}

/** Offer of a browser that publishes video. */
async function offerOf(): Promise<{ client: PeerConnection; sdp: string }> {
  const client = new PeerConnection('client', { iceServers: [], disableAutoNegotiation: true });
  onTestFinished(() => client.close());
  const video = new Video('0', 'SendOnly');
  video.addH264Codec(96);
  client.addTrack(video);
  const gathered = Promise.withResolvers<void>();
  client.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  client.setLocalDescription('offer');
  await gathered.promise;
  return { client, sdp: client.localDescription()?.sdp ?? '' };
}

/** Workers that begin from now on. Files share a process, and those of another may take a while to end. */
function workersFromNow(): () => number[] {
  const before = new Set(workersOf(process.pid, 'rtc'));
  return () => workersOf(process.pid, 'rtc').filter((pid) => !before.has(pid));
}

describe.each(['own', 'library'] as const)('the WebRTC server with its transport %s', (kind) => {
  it('accepts a publisher on its one port, connects it, and lets it end its session', async () => {
    const { hub, server, call, offer } = await open(kind);
    expect(server.listener).toMatchObject({ protocol: 'rtc', ready: true, note: '' });
    const { client, sdp } = await offerOf();
    const connected = Promise.withResolvers<void>();
    client.onStateChange((state) => state === 'connected' && connected.resolve());
    const answered = await offer(`/rtc/v1/whip/${stream}`, sdp);
    expect(answered.status).toBe(201);
    const answer = await answered.text();
    expect(answer).toContain(` ${server.listener.port} typ host`);
    client.setRemoteDescription(answer, 'answer');
    await connected.promise;
    expect(hub.find(place)?.publisher?.info.kind).toBe('rtc-publish');
    const location = answered.headers.get('location') ?? '';
    expect((await call(location, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(() => hub.find(place)?.publisher).toBeUndefined();
  });

  it('connects a browser of the administrator that tests the way, without a stream', async () => {
    const { hub, server, call, offer } = await open(kind);
    const { client, sdp } = await offerOf();
    const connected = Promise.withResolvers<void>();
    client.onStateChange((state) => state === 'connected' && connected.resolve());
    for (const ticket of ['', ownTicket(ownToken, Date.now()), rtcTestTicket('other', Date.now())])
      expect((await offer(`/rtc/v1/test/?ticket=${ticket}`, sdp)).status).toBe(401);
    expect((await offer(`/rtc/v1/test/?ticket=${rtcTestTicket(ownToken, Date.now() - 200_000)}`, sdp)).status).toBe(
      401,
    );
    const answered = await offer(`/rtc/v1/test/?ticket=${rtcTestTicket(ownToken, Date.now())}`, sdp);
    expect(answered.status).toBe(201);
    const answer = await answered.text();
    expect(answer).toContain(` ${server.listener.port} typ host`);
    client.setRemoteDescription(answer, 'answer');
    await connected.promise;
    expect(hub.clients.size).toBe(0);
    const location = answered.headers.get('location') ?? '';
    expect((await call(location, { method: 'DELETE' })).status).toBe(200);
    expect((await call(location, { method: 'DELETE' })).status).toBe(404);
  });

  it('starts while its port is taken, reports it, and refuses offers', async () => {
    const other = createSocket('udp4').bind(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address();
    const { server, offer } = await open(kind, port);
    expect(server.listener).toEqual({ protocol: 'rtc', port, ready: false, note: 'port-taken' });
    const { sdp } = await offerOf();
    expect((await offer(`/rtc/v1/whip/${stream}`, sdp)).status).toBe(503);
  });

  it('starts no process before the first offer, and F23: starts another one when that was killed', async () => {
    const workers = workersFromNow();
    const { hub, server, call, offer } = await open(kind);
    expect(workers()).toEqual([]);
    const { sdp } = await offerOf();
    const answered = await offer(`/rtc/v1/whip/${stream}`, sdp);
    const location = answered.headers.get('location') ?? '';
    const trickle = { method: 'PATCH', headers: { 'Content-Type': 'application/trickle-ice-sdpfrag' }, body: '' };
    expect((await call(location, trickle)).status).toBe(204);
    const [pid = 0, ...more] = workers();
    expect(more).toEqual([]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => hub.find(place)?.publisher).toBeUndefined();
    expect(hub.clients.size).toBe(0);
    expect((await call(location, trickle)).status).toBe(404);
    expect(server.exits).toMatchObject([{ worker: 'rtc', count: 1, last: { reason: 'ended by SIGKILL' } }]);
    await expect.poll(() => server.listener).toMatchObject({ ready: true, note: '' });
    expect((await offer(`/rtc/v1/whip/${stream}`, (await offerOf()).sdp)).status).toBe(201);
    expect(workers()).not.toContain(pid);
  });
});

/** Code in front of the transports: the second would prove the same again. */
describe('the WebRTC server with either transport', () => {
  it('reports the error of an invalid call', async () => {
    const { call, offer } = await open('own');
    expect((await call('/rtc/v1/nothing/')).status).toBe(404);
    expect((await call(`/rtc/v1/whip/${stream}`, { method: 'GET' })).status).toBe(405);
    expect((await offer('/rtc/v1/whip/', 'v=0')).status).toBe(400);
    expect((await offer(`/rtc/v1/whip/${stream}`, 'v=0')).status).toBe(400);
    const headers = { 'Content-Type': 'application/json' };
    expect((await call(`/rtc/v1/whip/${stream}`, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    expect((await call('/rtc/v1/publish/', { method: 'POST', headers, body: '{}' })).status).toBe(400);
    expect((await call(`/rtc/v1/whip/${stream}&session=x&token=y`, { method: 'DELETE' })).status).toBe(404);
  });

  it('refuses to play where nobody publishes', async () => {
    const { offer } = await open('own');
    const { sdp } = await offerOf();
    expect((await offer(`/rtc/v1/whep/${stream}`, sdp.replaceAll('sendonly', 'recvonly'))).status).toBe(404);
  });

  it('S23: asks viewers of a protected stream for their token, also in the older call of SRS players', async () => {
    const inner = new FakeGate();
    const gate = new AccessGate({ gate: inner, ask: async () => undefined, clients: new Clients() });
    onTestFinished(() => gate.close());
    const { hub, call, offer } = await open('own', 0, 1, gate);
    hub.open(place)?.publish(client());
    const { sdp } = await offerOf();
    const key = { id: 'key', secret: 'a secret of thirty-two characters' };
    const playback = 'abcdefgh23456723';
    gate.set({ ...openAccess, rules: [linkOnly], keys: [key], playbacks: [{ id: playback, place }] });
    const expiresAt = Math.floor(Date.now() / 1000) + 600;
    const claims = { playback, stream: '', id: 'link', startsAt: 0, expiresAt, devices: 0, address: '' };
    const token = writePlaybackToken(key, claims);
    const wish = sdp.replaceAll('sendonly', 'recvonly');
    const play = async (name: string, query: string) => {
      const streamurl = `webrtc://127.0.0.1/${name}${query}`;
      const body = JSON.stringify({ api: '', streamurl, sdp: wish });
      return (await call('/rtc/v1/play/', { method: 'POST', body })).status;
    };
    const names = [`${place.app}/${place.name}`, `play/${playback}`];
    for (const name of names) {
      for (const query of ['', '?token=wrong', `?token=${token}x`]) expect(await play(name, query)).toBe(403);
      expect((await offer(`/rtc/v1/whep/${stream}`, wish)).status).toBe(403);
    }
    expect(inner.played).toEqual([]);
    for (const name of names) await play(name, `?token=${token}`);
    expect(inner.played.map((viewer) => viewer.place)).toEqual([place, place]);
  });

  it('ends its sessions when it closes, and accepts no new ones', async () => {
    const { hub, server, offer } = await open('own');
    const { sdp } = await offerOf();
    expect((await offer(`/rtc/v1/whip/${stream}`, sdp)).status).toBe(201);
    await server.close();
    expect(hub.find(place)?.publisher).toBeUndefined();
    expect((await offer(`/rtc/v1/whip/${stream}`, sdp)).status).toBe(503);
  });

  it('assigns each session to the process with the fewest, on the port of that process', async () => {
    const workers = workersFromNow();
    const { server, offer } = await open('own', 0, 2);
    const ports = server.listeners.map((listener) => listener.port);
    expect(new Set(ports).size).toBe(2);
    const { sdp } = await offerOf();
    const told = async (name: string) => {
      const answer = await (await offer(`/rtc/v1/whip/?app=live&stream=${name}`, sdp)).text();
      return Number(/ (\d+) typ host/.exec(answer)?.[1]);
    };
    const given = [await told('a'), await told('b'), await told('c'), await told('d')];
    expect(given.toSorted()).toEqual([...ports, ...ports].toSorted());
    expect(workers()).toHaveLength(2);
  });
});
