import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { Nginx } from '../../nginx.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { inputs, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { HlsCrowd } from './hls-crowd.fixture.ts';
import { Witness } from './witness.fixture.ts';

/** `WEIR_TEST_VIEWERS=500` is what docs/scale.md tells of. */
const viewers = Number(process.env.WEIR_TEST_VIEWERS ?? 60);
const targetMs = 2000;

let live: Live;
let witness: Witness;
let edges: Nginx[];
let publisher: Publisher;
let token: string;
beforeAll(async () => {
  // Ports that stay when the engine is another process.
  const [http, rtmp] = [await freePort(), await freePort()];
  live = await Live.start({
    MGMT_LISTEN: `127.0.0.1:${http}`,
    WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}`,
    WEIR_DELIVERY_WORKERS: '1',
  });
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  witness = await Witness.before(live.weir.httpPort);
  await live.post('/terraform/v1/mgmt/edges/update', { edges: ['http://127.0.0.1:1'] });
  ({ token } = (await live.post('/terraform/v1/mgmt/edges/query')).data);
  edges = await Promise.all([0, 1].map(() => Nginx.edge({ origin: witness.host, token })));
  publisher = new Publisher(live.publishUrl('show'), inputs.both);
  await until(() => live.isLive('show'), 'show is live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all(edges?.map((edge) => edge.close()) ?? []);
  witness?.close();
  await live?.close();
});

const at = (index: number, path: string) => `${edges[index % edges.length]?.origin}${path}`;
/** Figures for whoever asked for a number of viewers. */
const say = (text: string) => process.env.WEIR_TEST_VIEWERS && process.stdout.write(`${viewers} viewers: ${text}\n`);
/** Most requests for one piece. */
const mostTimes = (pattern: RegExp) => Math.max(...witness.asked(pattern).map(({ times }) => times));
/** True if every viewer has enough pieces. */
const everybody = (crowd: HlsCrowd, pieces: number) => () => crowd.pieces.every((count) => count >= pieces);

describe('two nginx edges', { timeout: 180_000 }, () => {
  it('fetch each segment once, and send no playlist older than a segment', async () => {
    const crowd = new HlsCrowd();
    crowd.watchOrigin(live.http('show', '.media.m3u8'), token);
    for (let index = 0; index < viewers; index++) crowd.follow(at(index, '/live/show.media.m3u8'));
    await until(everybody(crowd, 4), 'everybody has four segments');
    await crowd.close();
    expect(crowd.failures).toEqual([]);
    expect(witness.asked(/\.ts$/).length).toBeGreaterThanOrEqual(4);
    expect(witness.asked(/\.ts$/).filter(({ times }) => times > edges.length)).toEqual([]);
    expect(crowd.news).toBeGreaterThanOrEqual(4);
    expect(crowd.worstAgeMs()).toBeLessThanOrEqual(targetMs);
    const { length } = witness.asked(/\.ts$/);
    say(
      `oldest playlist ${crowd.worstAgeMs()} ms of ${crowd.sights}, ${length} segments, ${mostTimes(/\.ts$/)} times each`,
    );
  });

  it('send one blocking request to the origin for all players that wait for a part', async () => {
    const crowd = new HlsCrowd();
    crowd.watchOrigin(live.http('show', '.ll.media.m3u8'), token);
    for (let index = 0; index < viewers; index++) crowd.followLow(at(index, '/live/show.ll.media.m3u8'));
    await until(everybody(crowd, 12), 'everybody has twelve parts');
    await crowd.close();
    expect(crowd.failures).toEqual([]);
    const [waiting, parts] = [witness.asked(/_HLS_msn/), witness.asked(/\.m4s$/)];
    expect(Math.min(waiting.length, parts.length)).toBeGreaterThan(6);
    expect(waiting.filter(({ atOnce }) => atOnce > edges.length)).toEqual([]);
    expect(parts.filter(({ times }) => times > edges.length)).toEqual([]);
    expect(crowd.worstAgeMs()).toBeLessThanOrEqual(targetMs);
    const waits = crowd.waits.sort((a, b) => a - b);
    say(`playlists waited p50 ${waits[waits.length >> 1]}, p99 ${waits[Math.floor(waits.length * 0.99)]} ms`);
    const asked = waiting.reduce((sum, { times }) => sum + times, 0);
    say(`${asked} requests for ${waiting.length} playlists that ${waits.length} waited for`);
    say(`${parts.length} parts, ${mostTimes(/\.m4s$/)} times each; oldest playlist ${crowd.worstAgeMs()} ms`);
  });

  it('serve ranges and players of other sites, and nothing but media', async () => {
    const [segment = ''] = (await (await fetch(at(0, '/live/show.media.m3u8'))).text()).match(/^show-.*\.ts$/m) ?? [];
    const whole = Buffer.from(await (await fetch(at(0, `/live/${segment}`))).arrayBuffer());
    const part = await fetch(at(0, `/live/${segment}?again=1`), { headers: { range: 'bytes=188-375' } });
    expect(part.status).toBe(206);
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-range': `bytes 188-375/${whole.length}`,
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=600',
      'x-cache-status': 'HIT',
    });
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(188, 376))).toBe(true);
    const master = await fetch(at(0, '/live/show.m3u8?hls_ctx=0123456789abcdef&x=1'));
    expect(await master.text()).toContain('\nshow.media.m3u8\n');
    expect(master.headers.get('cache-control')).toBe('no-cache');
    expect(witness.asked(/hls_ctx|x=1|again/)).toEqual([]);
    const missing = await fetch(at(0, '/live/nobody-1-1.ts'));
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-cache']);
    const preflight = await fetch(at(0, '/live/show.m3u8'), { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-max-age')).toBe('7200');
    expect((await fetch(at(0, '/live/show.m3u8'), { method: 'POST', body: 'x' })).status).toBe(405);
    for (const path of ['/mgmt/', '/terraform/v1/mgmt/check', '/live/show.flv']) {
      expect((await fetch(at(0, path))).status).toBe(404);
    }
  });

  it('cache one playlist for players of every site, compressed or not', async () => {
    const sites = ['https://a.example', 'https://b.example', undefined];
    const codings = ['gzip', 'identity', 'gzip;q=0'];
    const asked = sites.flatMap((origin) => codings.map((coding) => ({ origin, coding })));
    const [segment = ''] = (await (await fetch(at(0, '/live/show.media.m3u8'))).text()).match(/^show-.*\.ts$/m) ?? [];
    for (const path of ['/live/show.ll.media.m3u8', `/live/${segment}`]) {
      const answers = await Promise.all(
        asked.map(({ origin, coding }) =>
          fetch(at(0, path), { headers: { 'accept-encoding': coding, ...(origin && { origin }) } }),
        ),
      );
      for (const [index, { headers }] of answers.entries()) {
        const { origin = '*', coding } = asked[index] ?? {};
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('access-control-allow-credentials')).toBe(origin === '*' ? null : 'true');
        expect(headers.get('vary')).toContain('Origin');
        const isCompressed = coding === 'gzip' && path.endsWith('.m3u8');
        expect(headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null);
      }
      const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
      // A second may end between two answers.
      const texts = new Set(bodies.map((body) => body.toString('latin1')));
      expect(texts.size).toBeLessThanOrEqual(path.endsWith('.m3u8') ? 2 : 1);
    }
    const times = witness.asked(/\.ts$/).find(({ path }) => path.includes(segment))?.times;
    expect(times).toBeLessThanOrEqual(edges.length);
  });

  it('continue after the origin was killed, and are shown in the console', async () => {
    const edgeUrls = edges.map(({ origin }) => origin);
    await live.post('/terraform/v1/mgmt/edges/update', { edges: edgeUrls });
    const states = async (): Promise<string[]> =>
      (await live.post('/terraform/v1/mgmt/edges/query')).data.edges.map(({ state }: { state: string }) => state);
    await until(async () => (await states()).every((state) => state === 'ok'), 'both edges are well');
    const crowd = new HlsCrowd();
    for (let index = 0; index < viewers; index++) crowd.follow(at(index, '/live/show.media.m3u8'));
    for (let index = 0; index < viewers; index++) crowd.followLow(at(index, '/live/show.ll.media.m3u8'));
    await until(everybody(crowd, 1), 'everybody watches');
    process.kill(live.weir.pidOf('engine'), 'SIGKILL');
    await publisher.stop('SIGKILL');
    const published = async () => {
      if (publisher.hasEnded) publisher = new Publisher(live.publishUrl('show'), inputs.both);
      return live.isLive('show').catch(() => false);
    };
    await until(published, 'somebody publishes again');
    const had = [...crowd.pieces];
    const startMs = Date.now();
    const goesOn = () => crowd.pieces.every((count, viewer) => count >= (had[viewer] ?? 0) + 2);
    await until(goesOn, 'everybody gets new pieces');
    say(`with as many of low latency, all had two new pieces ${Date.now() - startMs} ms after the stream was back`);
    await crowd.close();
  });
});
