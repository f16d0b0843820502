import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfMaster } from '../../apps/engine/src/packagers/hls/check/master-rules.fixture.ts';
import { PlaylistChecker } from '../../apps/engine/src/packagers/hls/check/playlist-checker.fixture.ts';
import { until } from '../weir.fixture.ts';
import { complaints, inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';

const h264 = { codec_type: 'video', codec_name: 'h264', width: 640, height: 360 };
const aac = { codec_type: 'audio', codec_name: 'aac', sample_rate: '44100' };

let live: Live;
let publishers: Publisher[] = [];
beforeAll(async () => {
  live = await Live.start({ WEIR_TRUSTED_PROXIES: '127.0.0.1', WEIR_DELIVERY_WORKERS: '1' });
  // Segments of two seconds: the same machinery as with ten, in a fifth of the time.
  expect((await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true })).status).toBe(200);
});
afterAll(() => live.close());
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});

async function publishLive(name: string, input: readonly string[] = inputs.both): Promise<Publisher> {
  const publisher = new Publisher(live.publishUrl(name), input);
  publishers.push(publisher);
  await until(() => live.isLive(name), `${name} is live`);
  return publisher;
}

const text = async (url: string) => (await fetch(url)).text();
const checkers = new Map<string, PlaylistChecker>();
/** Every media playlist that a test reads keeps to the rules, by itself and after those before it. */
async function checked(url: string): Promise<string> {
  const playlist = await text(url);
  const checker = checkers.get(url) ?? new PlaylistChecker();
  checkers.set(url, checker);
  expect(checker.check(playlist), playlist).toEqual([]);
  return playlist;
}
/** The address of the media playlist that the master names. */
async function mediaPlaylist(url: string): Promise<string> {
  const master = await text(url);
  expect(faultsOfMaster(master), master).toEqual([]);
  const line = master.split('\n').find((each) => each !== '' && !each.startsWith('#')) ?? '';
  return new URL(line, url).href;
}
const segmentsOf = (playlist: string) => playlist.split('\n').filter((line) => line.endsWith('.ts'));

describe('HLS', () => {
  it.each([
    ['video and audio', 'both', [h264, aac]],
    ['video only', 'video', [h264]],
    ['audio only', 'audio', [{ codec_type: 'audio', codec_name: 'aac' }]],
  ] as const)('plays %s', async (_title, name, expected) => {
    await publishLive(`hls-${name}`, inputs[name]);
    const url = live.http(`hls-${name}`, '.m3u8');
    expect(await probe(url)).toMatchObject(expected);
    expect(await complaints(url, 3)).toBe('');
  });

  it('counts its viewers, and stops counting when it is switched off', async () => {
    await publishLive('counted');
    const url = live.http('counted', '.m3u8');
    expect(await text(url)).toContain('hls_ctx=');
    const clients = async () =>
      (await live.post('/api/v1/clients?count=100')) as unknown as { clients: { type: string; name: string }[] };
    await until(
      async () => (await clients()).clients.some(({ type, name }) => type === 'hls-play' && name === 'counted'),
      'counted',
    );
    await live.post('/terraform/v1/mgmt/hphls/update', { noHlsCtx: true });
    const plain = await fetch(url);
    expect(await plain.text()).toContain('#EXTINF');
    expect(plain.headers.get('cache-control')).toBe('public, max-age=1');
    await live.post('/terraform/v1/mgmt/hphls/update', { noHlsCtx: false });
  });

  it('names a viewer behind a trusted proxy by its own address', async () => {
    await publishLive('proxied');
    await fetch(live.http('proxied', '.m3u8'), { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const answer = (await live.post('/api/v1/clients?count=100')) as unknown as { clients: { ip: string }[] };
    expect(answer.clients.map(({ ip }) => ip)).toContain('203.0.113.9');
  });

  it('keeps its sequence numbers across a republish and marks the discontinuity', async () => {
    const first = await publishLive('seam');
    const url = live.http('seam', '.m3u8');
    const media = await mediaPlaylist(url);
    await until(async () => segmentsOf(await checked(media)).length >= 2, 'two segments');
    await first.stop('SIGKILL');
    await publishLive('seam');
    await until(async () => (await checked(media)).includes('#EXT-X-DISCONTINUITY\n'), 'the seam');
    await until(async () => segmentsOf(await checked(media)).length >= 4, 'more segments');
    const numbers = segmentsOf(await checked(media)).map((line) => Number(/-(\d+)-\d+\.ts$/.exec(line)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    const segment = await fetch(new URL(segmentsOf(await checked(media))[0] ?? '', media));
    expect([segment.headers.get('content-type'), segment.headers.get('cache-control')]).toEqual([
      'video/mp2t',
      'public, max-age=600',
    ]);
  });

  it('answers 404 without a publisher', async () => {
    const response = await fetch(live.http('nobody', '.m3u8'));
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('low-latency HLS', () => {
  it('follows the rules for its tags and blocks until announced parts exist', async () => {
    await publishLive('low');
    const media = await mediaPlaylist(live.http('low', '.ll.m3u8'));
    await until(async () => /#EXT-X-PART:.*INDEPENDENT=YES/.test(await checked(media)), 'parts');
    const playlist = await checked(media);
    expect(playlist).toMatch(/#EXT-X-SERVER-CONTROL:.*CAN-BLOCK-RELOAD=YES/);
    const [, target = '0'] = /#EXT-X-PART-INF:PART-TARGET=([\d.]+)/.exec(playlist) ?? [];
    const [, holdBack = '0'] = /PART-HOLD-BACK=([\d.]+)/.exec(playlist) ?? [];
    expect(Number(holdBack)).toBeGreaterThanOrEqual(2 * Number(target));
    expect(playlist).toMatch(/#EXT-X-PRELOAD-HINT:TYPE=PART,URI=/);
    await until(async () => /#EXTINF/.test(await checked(media)), 'a whole segment');
    const streams = await probe(media);
    expect(streams).toMatchObject([h264, aac]);
  });

  it('starts at once and announces constant values where keyframes are 8.3 s apart, as OBS sends them', async () => {
    const encoding = inputs.both.map((word, index) => (inputs.both[index - 1] === '-g' ? '208' : word));
    await publishLive('rare', encoding);
    const requestedAtMs = Date.now();
    const media = await mediaPlaylist(live.http('rare', '.ll.m3u8'));
    let playlist = await checked(media);
    // Half of it is a busy machine's.
    expect(Date.now() - requestedAtMs).toBeLessThan(8000);
    expect(/#EXT-X-PART:.*/.exec(playlist)?.[0]).toContain('INDEPENDENT=YES');
    // Requests as players do: each waits for the next part, until two groups of pictures are over.
    await until(
      async () => {
        const sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]) + (playlist.match(/#EXTINF/g)?.length ?? 0);
        const part = playlist.slice(playlist.lastIndexOf('.m4s\n')).match(/#EXT-X-PART:/g)?.length ?? 0;
        const next = await text(`${media}&_HLS_msn=${sequence}&_HLS_part=${part}`);
        expect(checkers.get(media)?.check(next), next).toEqual([]);
        playlist = next;
        return (playlist.match(/#EXT-X-PART:[^\n]*INDEPENDENT=YES/g)?.length ?? 0) >= 3;
      },
      'three groups of pictures',
      60_000,
    );
  });
});
