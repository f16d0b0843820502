import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FlvDemuxer } from '@weir/media/flv-demuxer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { inputs, type ProbedStream, Publisher } from './fixtures/ffmpeg.fixture.ts';
import { recordIvf } from './fixtures/ivf.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { Replay } from './fixtures/replay.fixture.ts';
import { freeUdpPort } from './fixtures/udp-proxy.fixture.ts';
import { Call, launchCallingBrowser } from './fixtures/webrtc.fixture.ts';

const run = promisify(execFile);

let live: Live;
let browser: Browser;
const publishers: Publisher[] = [];

/** Publishers: a stream of each name is live all the time. */
const sources = {
  rtmp: 'ffmpeg by RTMP',
  'rtmp-b-frames': 'ffmpeg by RTMP, with B-frames',
  srt: 'ffmpeg by SRT',
  whip: 'a camera in a browser by WHIP',
} as const;
type Source = keyof typeof sources;

/** Addresses for players of files. */
const addresses = {
  RTMP: (name: string) => live.rtmp(name),
  'HTTP-FLV': (name: string) => live.http(name, '.flv'),
  HLS: (name: string) => live.http(name, '.m3u8'),
  'low-latency HLS': (name: string) => live.http(name, '.ll.m3u8'),
  SRT: (name: string) => `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/${name},m=request`,
} as const;
type Address = keyof typeof addresses;

const bFrames = [...inputs.both, '-tune', 'film', '-profile:v', 'main', '-bf', '2'];

beforeAll(async () => {
  const port = await freeUdpPort();
  [live, browser] = await Promise.all([
    Live.start({ WEIR_RTC_LISTEN: `127.0.0.1:${port}`, RTC_PORT: String(port) }),
    launchCallingBrowser(),
  ]);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  const srt = `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/srt?secret=${live.secret},m=publish`;
  publishers.push(
    new Publisher(live.publishUrl('rtmp')),
    new Publisher(live.publishUrl('rtmp-b-frames'), bFrames),
    new Publisher(srt, inputs.both, 'mpegts'),
  );
  await Call.open(browser, live.weir.origin, `${rtc('whip', 'whip')}&secret=${live.secret}`, true);
  await until(
    async () => (await Promise.all(Object.keys(sources).map((name) => live.isLive(name)))).every(Boolean),
    'everybody publishes',
    60_000,
  );
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await Promise.all([browser.close(), live.close()]);
});

function rtc(what: 'whip' | 'whep', name: string): string {
  return `${live.weir.origin}/rtc/v1/${what}/?app=live&stream=${name}&eip=127.0.0.1`;
}

interface Recording {
  readonly streams: readonly ProbedStream[];
  readonly packets: readonly { readonly codec_type: string; readonly pts_time?: string }[];
}

/** Some seconds of what is at an address: its tracks, and when their packets are shown. */
async function read(url: string): Promise<Recording> {
  const entries = ['-show_streams', '-show_entries', 'packet=codec_type,pts_time', '-read_intervals', '%+2'];
  const quick = ['-analyzeduration', '2000000', '-probesize', '2000000'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...quick, ...entries, '-of', 'json', url], {
    timeout: 40_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Recording;
}

/** First and last time of a track in seconds, and how many packets there are. */
function spanOf({ packets }: Recording, kind: 'video' | 'audio') {
  const times = packets.flatMap(({ codec_type, pts_time }) => (codec_type === kind ? [Number(pts_time)] : []));
  return { first: Math.min(...times), last: Math.max(...times), packets: times.length };
}

const cells = (Object.keys(sources) as Source[]).flatMap((source) =>
  (Object.keys(addresses) as Address[]).map((address) => [source, address] as const),
);

// Every cell has players of its own; a few at a time keep two cores busy.
describe.concurrent('every protocol plays streams of every other', () => {
  it.each(cells)('a stream published by %s plays by %s', async (source, address) => {
    const recording = await read(addresses[address](source));
    const video = recording.streams.find(({ codec_type }) => codec_type === 'video');
    const audio = recording.streams.find(({ codec_type }) => codec_type === 'audio');
    expect(video).toMatchObject({ codec_name: 'h264', width: 640, height: 360 });
    expect(audio).toMatchObject({ codec_name: 'aac', channels: 2 });
    const [seen, heard] = [spanOf(recording, 'video'), spanOf(recording, 'audio')];
    for (const { first, last, packets } of [seen, heard]) {
      expect(last - first).toBeGreaterThan(0.8);
      expect(packets).toBeGreaterThan(20);
    }
    // Both tracks begin together and end together, but for data in flight when the reader left.
    expect(Math.abs(seen.first - heard.first)).toBeLessThan(0.6);
    expect(Math.abs(seen.last - heard.last)).toBeLessThan(1.5);
  });

  it.each(Object.keys(sources) as Source[])('a stream published by %s plays by WHEP in a browser', async (source) => {
    const viewer = await Call.open(browser, live.weir.origin, rtc('whep', source), false);
    const decoded = async () => (await viewer.facts()).video?.framesDecoded ?? 0;
    await until(async () => (await decoded()) > 25, 'pictures are shown');
    await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.001, 'sound is heard');
    // Forty pictures at 25 or 30 a second; B-frames as they are would give four in that time, always.
    const fortyTakeMs = async () => {
      const before = await decoded();
      const since = performance.now();
      await until(async () => (await decoded()) > before + 40, 'more pictures');
      return performance.now() - since;
    };
    await until(async () => (await fortyTakeMs()) < 8000, 'pictures in time');
    const { video } = await viewer.facts();
    expect(video?.frameWidth).toBe(640);
    const types = await viewer.page.evaluate(
      'call.peer.getStats().then((all) => [...all.values()].filter(({ type }) => type === "codec").map(({ mimeType }) => mimeType))',
    );
    expect(types).toEqual(expect.arrayContaining(['video/H264', 'audio/opus']));
    await viewer.page.close();
  });

  // Debian's ffmpeg neither sends nor reads these by RTMP.
  it.each(['vp9', 'av1'] as const)(
    '%s by enhanced RTMP → HTTP-FLV, low-latency HLS and WHEP in a browser',
    async (codec) => {
      const replay = await Replay.start(live.weir.rtmpPort, `${codec}?secret=${live.secret}`, recordIvf(codec));
      await until(() => live.isLive(codec), `${codec} is live`);
      const flv = await firstFlv(live.http(codec, '.flv'));
      expect(flv).toMatchObject([
        { config: { codec, width: 320, height: 180 } },
        { frame: { codec, isKeyframe: true } },
      ]);
      await until(() => canBegin(live.http(codec, '.ll.m3u8')), 'there is enough to begin with');
      expect(await (await fetch(live.http(codec, '.ll.m3u8'))).text()).toMatch(
        codec === 'vp9' ? /CODECS="vp09\.00\.11\.08"/ : /CODECS="av01\.0\.\d\dM\.08"/,
      );
      const { streams, packets } = await read(live.http(codec, '.ll.m3u8'));
      expect(streams).toMatchObject([{ codec_name: codec, width: 320, height: 180 }]);
      expect(packets.length).toBeGreaterThan(20);
      const viewer = await Call.open(browser, live.weir.origin, rtc('whep', codec), false);
      await until(async () => ((await viewer.facts()).video?.framesDecoded ?? 0) > 20, 'pictures are shown');
      expect((await viewer.facts()).video?.frameWidth).toBe(320);
      await viewer.page.close();
      await replay.stop();
    },
  );
});

/** True if there is a playlist with media: ffprobe does not retry. */
async function canBegin(url: string): Promise<boolean> {
  const answer = await fetch(url);
  const [uri] = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return answer.ok && uri !== undefined && (await fetch(new URL(uri, url))).ok;
}

/** The config of the video and its first picture. */
async function firstFlv(url: string) {
  const aborted = new AbortController();
  const demuxer = new FlvDemuxer();
  const items: ReturnType<FlvDemuxer['push']>[number][] = [];
  const { body } = await fetch(url, { signal: aborted.signal });
  for await (const chunk of body ?? []) {
    items.push(...demuxer.push(Buffer.from(chunk)).filter(({ type }) => type !== 'metadata'));
    if (items.length >= 2) break;
  }
  aborted.abort();
  return items.slice(0, 2);
}
