import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { complaints, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { clipInput, examine, makeClip, Recordings, report } from '../fixtures/record.fixture.ts';
import { Call, launchCallingBrowser } from '../fixtures/webrtc.fixture.ts';

const run = promisify(execFile);
/** Longer by hand: RECORD_SECONDS=60, RECORD_RECONNECTS=20. */
const seconds = Number(process.env.RECORD_SECONDS ?? 6);
const reconnects = Number(process.env.RECORD_RECONNECTS ?? 4);
const frameMs = 40;

let live: Live;
let recordings: Recordings;
let clip: string;
let publishers: Publisher[] = [];
beforeAll(async () => {
  clip = makeClip(seconds);
  live = await Live.start();
  recordings = new Recordings(live);
  // Segments of two seconds: the same machinery as with ten, in a fifth of the time.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await recordings.start();
});
afterAll(() => live.close());
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});

function publish(url: string, input: readonly string[]): Publisher {
  const publisher = new Publisher(url, input, url.startsWith('srt:') ? 'mpegts' : 'flv');
  publishers.push(publisher);
  return publisher;
}

async function isPublished(name: string): Promise<boolean> {
  const { data } = await live.post('/terraform/v1/mgmt/streams/query');
  return ((data.streams ?? []) as { stream: string }[]).some(({ stream }) => stream === name);
}

/**
 * Lingers until the last bytes have arrived; by default ffmpeg closes the connection earlier. Drops nothing for being late, which on a busy
 * machine the last pictures may be.
 */
const srt = (name: string) =>
  `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/${name}?secret=${live.secret},m=publish&linger=10&tlpktdrop=0`;

describe('a recording', () => {
  it.each(['rtmp', 'srt'] as const)(
    'by %s is as long as the published stream, with audio and video in sync to its end',
    async (protocol) => {
      const name = `whole-${protocol}`;
      const publisher = publish(protocol === 'srt' ? srt(name) : live.publishUrl(name), clipInput(clip));
      await until(() => publisher.hasEnded, 'all is published', seconds * 1000 + 30_000);
      expect(publisher.said).not.toMatch(/error/i);
      const isWhole = ({ duration }: { duration: number }) => duration > seconds - 0.1;
      const recording = await recordings.wait(name, isWhole, 'all of it is recorded');
      const done = await recordings.finish(recording);
      expect(done).toMatchObject({ state: 'done', discontinuities: 0, lost: 0, error: '', thumbnail: true });

      const published = await examine(clip);
      const { video, audio, complaints: said } = await examine(recordings.file(done.uuid, 'index.mp4'));
      report({ protocol, published, video, audio });
      expect(said).toBe('');
      expect(video.frames).toBe(published.video.frames);
      const lengthOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => endMs - startMs;
      expect(Math.abs(lengthOf(video) - lengthOf(published.video))).toBeLessThanOrEqual(frameMs);
      expect(Math.abs(lengthOf(audio) - lengthOf(published.audio))).toBeLessThanOrEqual(frameMs);
      const offsetAt = (of: typeof published) => of.video.endMs - of.audio.endMs;
      const drift = offsetAt({ video, audio, complaints: '' }) - offsetAt(published);
      expect(Math.abs(drift)).toBeLessThan(frameMs);
    },
    seconds * 1000 + 120_000,
  );

  it(
    'by WHIP has every frame that was sent, and is as long as the call',
    async () => {
      const name = 'whole-whip';
      const browser = await launchCallingBrowser();
      try {
        const url = `${live.weir.origin}/rtc/v1/whip/?app=live&stream=${name}&eip=127.0.0.1&secret=${live.secret}`;
        const call = await Call.open(browser, live.weir.origin, url, true);
        expect((await call.answer()).status).toBe(201);
        const sent = async () => (await call.facts()).video?.framesEncoded ?? 0;
        await until(async () => (await sent()) >= 30 * seconds, 'enough was sent', seconds * 1000 + 60_000);
        // From the first picture to the last, on the browser's clock.
        const frames = await sent();
        await call.page.close();
        const recording = await recordings.wait(name, ({ duration }) => duration > 0, 'something is recorded');
        await until(async () => !(await isPublished(name)), 'the call is over');
        const isQuiet = ({ update }: { update: string }) => Date.now() - Date.parse(update) > 3000;
        await recordings.wait(name, isQuiet, 'the rest is recorded');
        const done = await recordings.finish(recording);
        const { video, audio, complaints: said } = await examine(recordings.file(done.uuid, 'index.mp4'));
        expect(said).toBe('');
        expect([video.codec_name, audio.codec_name]).toEqual(['h264', 'aac']);
        report({ protocol: 'whip', frames, video, audio });
        expect(video.frames).toBeGreaterThanOrEqual(frames - 2);
        // Sound without a hole: as long as the frames it has, each of 1024 samples.
        const soundMs = (audio.frames * 1024) / 48;
        expect(Math.abs(audio.endMs - audio.startMs - soundMs)).toBeLessThan(100);
        expect(Math.abs(video.startMs - audio.startMs)).toBeLessThan(500);
        // A browser ends its tracks between two packets of each, and one that is short of time sends the last of them late.
        expect(Math.abs(video.endMs - audio.endMs)).toBeLessThan(500);
      } finally {
        await browser.close();
      }
    },
    seconds * 1000 + 180_000,
  );

  it('plays while it grows, from its beginning, and is seekable; afterwards as one file in ranges', async () => {
    publish(live.publishUrl('growing'), clipInput(clip, 20));
    const recording = await recordings.wait('growing', ({ nn }) => nn >= 3, 'three segments');
    const { m3u8, mp4, thumbnail } = await recordings.post('sign', { uuid: recording.uuid });
    const playlist = await (await fetch(live.weir.origin + m3u8)).text();
    expect(playlist).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(playlist).not.toContain('#EXT-X-ENDLIST');
    const [, target] = /#EXT-X-TARGETDURATION:(\d+)/.exec(playlist) ?? [];
    expect(Number(target)).toBe(2);
    expect(await complaints(live.weir.origin + m3u8, 3)).toBe('');

    const done = await recordings.finish(recording);
    const next = await recordings.wait('growing', ({ uuid }) => uuid !== done.uuid, 'the next recording began');
    expect(next.state).toBe('recording');
    const whole = await fetch(live.weir.origin + mp4);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, bytes.length, whole.headers.get('accept-ranges')]).toEqual([200, done.mp4Bytes, 'bytes']);
    // The index is in front of the media.
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    const part = await fetch(live.weir.origin + mp4, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${done.mp4Bytes}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const picture = Buffer.from(await (await fetch(live.weir.origin + thumbnail)).arrayBuffer());
    expect(picture.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-read_intervals',
      '4%+#1',
      '-show_entries',
      'packet=pts_time',
      '-of',
      'csv=p=0',
      '-select_streams',
      'v',
      live.weir.origin + mp4,
    ]);
    expect(Number(stdout.trim())).toBeGreaterThan(2.9);
  });

  it(
    `of a publisher that returns ${reconnects - 1} times is one, with a discontinuity for each return, and plays through`,
    async () => {
      const name = 'returning';
      for (let turn = 1; turn <= reconnects; turn++) {
        const before = (await recordings.list(name))[0]?.duration ?? 0;
        const publisher = publish(live.publishUrl(name), clipInput(clip, 20));
        // Beyond the first segment of this turn.
        await recordings.wait(name, ({ duration }) => duration > before + 1.5, `turn ${turn}`);
        await publisher.stop('SIGKILL');
        await until(async () => !(await isPublished(name)), 'noticed');
      }
      const recording = await recordings.wait(name, ({ nn }) => nn >= reconnects, 'all turns');
      expect(await recordings.list(name)).toHaveLength(1);
      const done = await recordings.finish(recording);
      expect(done).toMatchObject({ state: 'done', discontinuities: reconnects - 1, lost: 0 });
      const { video, audio, complaints: said } = await examine(recordings.file(done.uuid, 'index.mp4'));
      expect(said).toBe('');
      // The file is as long as its segments, within a frame for each join.
      expect(Math.abs(video.endMs - 1000 * done.duration)).toBeLessThan(frameMs * (reconnects + 1));
      expect(Math.abs(video.endMs - audio.endMs)).toBeLessThan(100);
      const { m3u8 } = await recordings.post('sign', { uuid: done.uuid });
      const playlist = await (await fetch(live.weir.origin + m3u8)).text();
      expect(playlist.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(reconnects - 1);
      report({ reconnects, done: { nn: done.nn, duration: done.duration }, video, audio });
    },
    reconnects * 15_000 + 60_000,
  );

  it('leaves nothing behind when it is deleted, and nothing of others is touched', async () => {
    const [first, second] = (await recordings.list()).filter(({ progress }) => !progress);
    if (!first || !second) throw new Error('the tests before left two');
    await recordings.post('remove', { uuid: first.uuid });
    expect(() => statSync(recordings.file(first.uuid, '.'))).toThrow('ENOENT');
    expect(readdirSync(recordings.file(second.uuid, '.'))).toEqual(
      expect.arrayContaining(['index.mp4', 'segments.log']),
    );
    expect((await recordings.list()).map(({ uuid }) => uuid)).not.toContain(first.uuid);
  });
});
