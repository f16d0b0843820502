import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultVhost } from '@weir/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../apps/server/src/media-server/embedded-engine.ts';
import { until } from '../weir.fixture.ts';
import { Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { flashes, whiteSince } from './fixtures/flash.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';

const run = promisify(execFile);
const place = { vhost: defaultVhost, app: 'live', stream: 'said' };
const english = { language: 'en', name: 'English', isDefault: true };

let live: Live;
let publisher: Publisher;
let engine: EmbeddedEngine;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  engine = new EmbeddedEngine(join(live.weir.dataDir, 'run/engine.sock'));
  publisher = new Publisher(live.publishUrl('said'), flashes);
  await until(() => live.isLive('said'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await live.close();
});

const text = async (url: string) => (await fetch(url)).text();
const uris = (playlist: string) => playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** Follows a master to its video and its subtitles, and keeps every piece there is once both have come this far. */
async function follow(master: string, pieces: number) {
  const names = await text(master);
  const video = new URL(uris(names)[0] ?? '', master).href;
  const subtitles = new URL(/URI="([^"]+\.sub-en\.[^"]+)"/.exec(names)?.[1] ?? '', master).href;
  const isFar = async (url: string) => uris(await text(url)).length >= pieces;
  await until(async () => (await isFar(video)) && (await isFar(subtitles)), `${pieces} pieces`);
  return { video: { url: video, text: await text(video) }, subtitles: { url: subtitles, text: await text(subtitles) } };
}

const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Every cue as ffmpeg reads it, in seconds of the timestamps that the map of its piece leads to. */
async function cuesIn(playlist: { url: string; text: string }): Promise<{ from: number; to: number; said: string }[]> {
  const found = new Map<string, { from: number; to: number; said: string }>();
  for (const uri of uris(playlist.text)) {
    const url = new URL(uri, playlist.url).href;
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    const [, hours, minutes, seconds, ticks] =
      /^WEBVTT\nX-TIMESTAMP-MAP=LOCAL:(\d+):(\d+):([\d.]+),MPEGTS:(\d+)\n/.exec(await response.text()) ?? [];
    const offset = Number(ticks) / 90_000 - (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
    const args = ['-v', 'error', '-f', 'webvtt', '-show_packets', '-show_data', '-of', 'json', url];
    const { packets } = JSON.parse((await run('ffprobe', args)).stdout) as {
      packets: { pts_time: string; duration_time: string; data: string }[];
    };
    for (const { pts_time, duration_time, data } of packets) {
      const from = Number(pts_time) + offset;
      const said = [...data.matchAll(/ {2}(.{1,16})$/gm)].map(([, part]) => part).join('');
      found.set(said, { from, to: from + Number(duration_time), said });
    }
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

describe('subtitles of a stream that ffmpeg publishes', { timeout: 90_000 }, () => {
  it('are switched on and off for a live stream', async () => {
    expect(await engine.setSubtitleTracks({ ...place, stream: 'nobody' }, [english])).toBe(false);
    expect(await engine.addCues(place, 'en', [])).toBe(false);
    expect(await text(live.http('said', '.m3u8'))).not.toContain('SUBTITLES');
    expect(await engine.setSubtitleTracks(place, [english])).toBe(true);
    expect(await text(live.http('said', '.m3u8'))).toContain('TYPE=SUBTITLES');
  });

  it.each([
    ['HLS', '.m3u8', 4],
    ['low-latency HLS', '.ll.m3u8', 4],
  ])('in %s are shown at the time of their video', async (_title, suffix, pieces) => {
    const asked = follow(live.http('said', suffix), pieces);
    // Cues for every possible flash; future ones are rejected.
    const cues = Array.from({ length: 40 }, (_, n) => 5000 * (n + 1)).map((startMs) => ({
      id: `flash-${startMs}`,
      startMs,
      endMs: startMs + 1000,
      text: `flash ${startMs}`,
    }));
    const telling = setInterval(() => void engine.addCues(place, 'en', cues).catch(() => undefined), 200);
    const { video, subtitles } = await asked.finally(() => clearInterval(telling));
    const tags = (playlist: string) =>
      playlist.split('\n').filter((line) => /^#EXT(INF|-X-(MEDIA-S|TARGET|PROGRAM|DISC))/.test(line));
    const dates = (playlist: string) => tags(playlist).filter((line) => line.includes('DATE-TIME'));
    expect(dates(video.text).some((date) => dates(subtitles.text).includes(date))).toBe(true);

    const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(video.text)?.[1];
    const names = [...(init ? [init] : []), ...uris(video.text)];
    const file = join(live.weir.dataDir, `said${init ? '.mp4' : '.ts'}`);
    await writeFile(file, Buffer.concat(await Promise.all(names.map((name) => bytes(new URL(name, video.url).href)))));
    const white = await whiteSince(file);
    const said = await cuesIn(subtitles);
    expect(white.length).toBeGreaterThan(0);
    const errors = white.map((at) => Math.min(...said.map(({ from }) => Math.abs(from - at))));
    expect(Math.max(...errors)).toBeLessThan(0.05);
    for (const { from, to } of said) expect(to - from).toBeCloseTo(1, 2);
  });

  it('do not disturb a player without support for subtitles', async () => {
    const streams = await probe(live.http('said', '.m3u8'));
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(expect.arrayContaining(['h264', 'aac']));
  });

  it('are sent to pages as they come', async () => {
    const abort = new AbortController();
    const response = await fetch(live.http('said', '.cues'), { signal: abort.signal });
    const decoder = new TextDecoder();
    let heard = '';
    const listening = (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        heard += decoder.decode(chunk, { stream: true });
    })().catch(() => undefined);
    await until(() => heard.includes('event: time'), 'the greeting');
    const { nowMs } = JSON.parse(/event: time\ndata: (.*)/.exec(heard)?.[1] ?? '{}');
    expect(nowMs).toBeGreaterThan(0);
    const delays: number[] = [];
    for (let n = 0; n < 10; n++) {
      const at = performance.now();
      await engine.addCues(place, 'en', [{ id: `now-${n}`, startMs: nowMs, endMs: nowMs + 800, text: `now ${n}` }]);
      await until(() => heard.includes(`"now ${n}"`), 'the cue');
      delays.push(performance.now() - at);
    }
    expect(delays.sort((a, b) => a - b)[5]).toBeLessThan(300);
    abort.abort();
    await listening;
  });

  it('end with the stream and do not appear in the next', async () => {
    await publisher.stop('SIGKILL');
    await until(async () => !(await live.isLive('said')), 'gone');
    expect((await fetch(live.http('said', '.cues'))).status).toBe(404);
    publisher = new Publisher(live.publishUrl('said'), flashes);
    await until(() => live.isLive('said'), 'live again');
    expect((await fetch(live.http('said', '.cues'))).status).toBe(204);
    expect(await text(live.http('said', '.m3u8'))).not.toContain('SUBTITLES');
  });
});
