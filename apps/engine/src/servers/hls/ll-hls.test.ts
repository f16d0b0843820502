import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { sample } from '../../packagers/hls/hls-source.fixture.ts';
import { type OpenedHls, openHls, urisOf } from './hls.fixture.ts';

const run = promisify(execFile);
const attributes = (text: string, name: string) =>
  Array.from(text.matchAll(new RegExp(`${name}=("?)([^",\\n]*)\\1`, 'g')), ([, , value = '']) => value);

const sequenceOf = (text: string) => Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
const path = '/live/show.ll.m3u8';

type Running = OpenedHls & { readonly first: number; playUntil(ms: number): void };

/**
 * A stream with a keyframe each second that somebody began to watch at 4.7 s. Its segments: two seconds
 * each, from the keyframe before.
 */
async function watched(untilMs: number): Promise<Running> {
  const opened = await openHls();
  const { configs, frames } = sample(40);
  for (const config of configs) opened.source.config(config);
  let next = 0;
  const playUntil = (ms: number) => {
    for (let frame: MediaFrame | undefined = frames[next]; frame && frame.dtsMs <= ms; frame = frames[++next])
      opened.source.frame(frame);
  };
  playUntil(4700);
  const asked = opened.get(path);
  await opened.heard();
  playUntil(untilMs);
  const { status, text } = await asked;
  expect(status).toBe(200);
  return { ...opened, first: sequenceOf(text), playUntil };
}

describe('low-latency HLS', () => {
  it('begins with the cached video when the first viewer comes', async () => {
    const { get } = await watched(6700);
    const { text, headers } = await get(path);
    expect(headers['cache-control']).toBe('public, max-age=1');
    const durations = attributes(text, 'PART:DURATION').map(Number);
    expect(durations.slice(0, 4)).toEqual([0.32, 0.32, 0.32, 0.32]);
    expect(durations.slice(-2)).toEqual([0.32, 0.32]);
    expect(text.match(/#EXTINF:.*/g)).toEqual(['#EXTINF:2.000,']);
    expect(text).toContain('#EXT-X-TARGETDURATION:2\n');
    const [init = ''] = attributes(text, 'MAP:URI');
    expect((await get(`/live/${init}`)).headers['content-type']).toBe('video/mp4');
  });

  it('waits until there is enough media to begin with', async () => {
    const { source, get, clock, sweep, heard } = await openHls();
    const { configs, frames } = sample(40);
    for (const config of configs) source.config(config);
    for (const frame of frames.filter(({ dtsMs }) => dtsMs < 500)) source.frame(frame);
    const asked = get(path);
    await heard();
    clock.pass(8000);
    sweep();
    expect((await asked).status).toBe(503);
  });

  it('produces segments and parts that decode without a warning', async () => {
    const { get, directory } = await watched(12_500);
    const { text } = await get(path);
    const [init = ''] = attributes(text, 'MAP:URI');
    const load = async (uri: string) => (await get(`/live/${uri}`)).body;
    const segments = await Promise.all(urisOf(text).map(load));
    expect(segments).toHaveLength(4);
    const file = join(directory, 'all.mp4');
    await writeFile(file, Buffer.concat([await load(init), ...segments]));
    const args = ['-v', 'warning', '-count_frames', '-show_streams', '-of', 'json', file];
    const { stdout, stderr } = await run('ffprobe', args);
    expect(stderr).toBe('');
    const streams: { codec_name: string; nb_read_frames: string }[] = JSON.parse(stdout).streams;
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(Number(streams[0]?.nb_read_frames)).toBe(8 * 25);
    const parts = await Promise.all(attributes(text, 'PART:DURATION=[\\d.]+,URI').map(load));
    expect(Buffer.concat(parts).includes(segments.at(-1) ?? '')).toBe(true);
  });

  it('keeps the durations it declares', async () => {
    const { get } = await watched(30_500);
    const { text } = await get(path);
    expect(text).toContain('#EXT-X-TARGETDURATION:2\n');
    const parts = attributes(text, 'PART:DURATION').map(Number);
    expect(Math.max(...parts)).toBeLessThanOrEqual(0.334);
    expect(text.match(/#EXTINF:2\.000/g)).toHaveLength(10);
    expect(urisOf(text)).toHaveLength(10);
  });

  it('delays a blocking reload until the requested part exists', async () => {
    const { get, playUntil, first, heard } = await watched(6700);
    const open = first + 1;
    const [hint = ''] = attributes((await get(path)).text, 'PRELOAD-HINT:TYPE=PART,URI');
    expect(hint).toBe(`show.ll-${open}-2.m4s`);
    let isAnswered = false;
    const reload = get(`${path}?_HLS_msn=${open}&_HLS_part=2`).finally(() => {
      isAnswered = true;
    });
    const part = get(`/live/${hint}`);
    await heard();
    expect(isAnswered).toBe(false);
    playUntil(7100);
    expect((await reload).text).toContain(`URI="${hint}"`);
    expect((await part).body.toString('latin1', 4, 8)).toBe('moof');
    expect((await get(`/live/show.ll-${open}-40.m4s`)).status).toBe(404);
  });

  it('answers at once for a past part, and for a whole segment with the first part of the next one', async () => {
    const { get, playUntil, first, heard } = await watched(6700);
    const open = first + 1;
    expect((await get(`${path}?_HLS_msn=${first - 1}&_HLS_part=0`)).status).toBe(200);
    const whole = get(`${path}?_HLS_msn=${open}`);
    await heard();
    playUntil(8500);
    expect((await whole).text).toContain(`\nshow.ll-${open}.m4s\n`);
    // More parts than the segment had: its next one counts.
    expect((await get(`${path}?_HLS_msn=${open}&_HLS_part=9`)).status).toBe(200);
  });

  it.each(['_HLS_msn=x', '_HLS_part=1', '_HLS_msn=999999999999'])('refuses %s', async (query) => {
    const { get } = await watched(6700);
    expect((await get(`${path}?${query}`)).status).toBe(400);
  });

  it('does not wait longer than three target durations', async () => {
    const { get, clock, sweep, first, heard } = await watched(6700);
    const reload = get(`${path}?_HLS_msn=${first + 3}`);
    await heard();
    clock.pass(6000);
    sweep();
    expect((await reload).status).toBe(503);
  });

  it('skips old segments for players that have read them', async () => {
    const { get } = await watched(30_000);
    const full = await get(path);
    const delta = await get(`${path}?_HLS_skip=YES`);
    const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(delta.text)?.[1]);
    expect(skipped).toBeGreaterThanOrEqual(3);
    expect(urisOf(delta.text)).toEqual(urisOf(full.text).slice(skipped));
    expect(delta.body.length).toBeLessThan(full.body.length);
  });

  it('marks a discontinuity and repeats the init segment', async () => {
    const { get, source } = await watched(8000);
    source.seam();
    source.play(sample(5, { size: '320x240' }), 8020);
    const { text } = await get(path);
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    const inits = attributes(text, 'MAP:URI');
    expect(inits).toHaveLength(2);
    for (const init of inits) expect((await get(`/live/${init}`)).status).toBe(200);
  });

  it('stops without requests, and restarts with higher numbers', async () => {
    const { get, playUntil, clock, sweep, first, heard } = await watched(6700);
    const [init = ''] = attributes((await get(path)).text, 'MAP:URI');
    clock.pass(30_000);
    sweep();
    expect((await get(`/live/${init}`)).status).toBe(404);
    playUntil(12_000);
    const again = get(path);
    await heard();
    playUntil(15_000);
    expect(sequenceOf((await again).text)).toBeGreaterThan(first + 20);
  });
});
