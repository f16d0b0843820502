import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { type OpenedHls, openHls, sample, urisOf } from './hls.fixture.ts';

const run = promisify(execFile);
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const attributes = (text: string, name: string) =>
  Array.from(text.matchAll(new RegExp(`${name}=("?)([^",\\n]*)\\1`, 'g')), ([, , value = '']) => value);

/** A stream that has run for as long as `untilMs`, and a way to go on with it. */
async function started(untilMs: number): Promise<OpenedHls & { playUntil(ms: number): void }> {
  const opened = await openHls();
  const { configs, frames } = sample(40);
  for (const config of configs) opened.source.config(config);
  let next = 0;
  const playUntil = (ms: number) => {
    for (let frame: MediaFrame | undefined = frames[next]; frame && frame.dtsMs <= ms; frame = frames[++next])
      opened.source.frame(frame);
  };
  playUntil(untilMs);
  return { ...opened, playUntil };
}

describe('low-latency HLS', { timeout: 10_000 }, () => {
  it('begins with the pictures that are there when the first viewer comes', async () => {
    const { get } = await started(10_700);
    const { text, status, headers } = await get('/live/show.ll.m3u8');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-cache');
    expect(attributes(text, 'PART:DURATION').map(Number)).toEqual([0.32, 0.32]);
    expect(text).toContain('INDEPENDENT=YES');
    const [init = ''] = attributes(text, 'MAP:URI');
    expect((await get(`/live/${init}`)).headers['content-type']).toBe('video/mp4');
  });

  it('gives media that decodes without a complaint, in segments as in parts', async () => {
    const { get, playUntil, directory } = await started(5700);
    await get('/live/show.ll.m3u8');
    playUntil(12_100);
    const { text } = await get('/live/show.ll.m3u8');
    const [init = ''] = attributes(text, 'MAP:URI');
    const load = async (uri: string) => (await get(`/live/${uri}`)).body;
    const segments = await Promise.all(urisOf(text).map(load));
    expect(segments.length).toBeGreaterThanOrEqual(3);
    const file = join(directory, 'all.mp4');
    await writeFile(file, Buffer.concat([await load(init), ...segments]));
    const args = ['-v', 'warning', '-count_frames', '-show_streams', '-of', 'json', file];
    const { stdout, stderr } = await run('ffprobe', args);
    expect(stderr).toBe('');
    const streams: { codec_name: string; nb_read_frames: string }[] = JSON.parse(stdout).streams;
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(Number(streams[0]?.nb_read_frames)).toBe(segments.length * 50);

    const parts = await Promise.all(attributes(text, 'PART:DURATION=[\\d.]+,URI').map(load));
    const whole = segments.at(-1) ?? Buffer.alloc(0);
    expect(Buffer.concat(parts).includes(whole)).toBe(true);
  });

  it('keeps to the lengths it promises', async () => {
    const { get, playUntil } = await started(3700);
    await get('/live/show.ll.m3u8');
    playUntil(30_100);
    const { text } = await get('/live/show.ll.m3u8');
    expect(text).toContain('#EXT-X-TARGETDURATION:2\n');
    for (const duration of attributes(text, 'PART:DURATION')) expect(Number(duration)).toBeLessThanOrEqual(0.334);
    const total = text.match(/#EXTINF:([\d.]+)/g)?.reduce((sum, line) => sum + Number(line.slice(8)), 0) ?? 0;
    expect(total).toBeCloseTo(20, 0);
  });

  it('holds a reload until the part it asks for is there', async () => {
    const { get, playUntil } = await started(10_700);
    const first = await get('/live/show.ll.m3u8');
    const sequence = Number(attributes(first.text.replace('SEQUENCE:', 'SEQUENCE='), 'MEDIA-SEQUENCE')[0]);
    const [hint = ''] = attributes(first.text, 'PRELOAD-HINT:TYPE=PART,URI');
    expect(hint).toBe(`show.ll-${sequence}-2.m4s`);
    let isAnswered = false;
    const reload = get(`/live/show.ll.m3u8?_HLS_msn=${sequence}&_HLS_part=2`).finally(() => {
      isAnswered = true;
    });
    const part = get(`/live/${hint}`);
    await pause();
    expect(isAnswered).toBe(false);
    playUntil(11_100);
    expect((await reload).text).toContain(`URI="${hint}"`);
    expect((await part).body.toString('latin1', 4, 8)).toBe('moof');
    expect((await get(`/live/show.ll-${sequence}-40.m4s`)).status).toBe(404);
  });

  it('answers at once for what is past, and for a whole segment when it ends', async () => {
    const { get, playUntil } = await started(10_700);
    const first = await get('/live/show.ll.m3u8');
    const sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec(first.text)?.[1]);
    expect((await get(`/live/show.ll.m3u8?_HLS_msn=${sequence - 1}&_HLS_part=0`)).status).toBe(200);
    const whole = get(`/live/show.ll.m3u8?_HLS_msn=${sequence}`);
    await pause();
    playUntil(12_100);
    expect((await whole).text).toContain(`\nshow.ll-${sequence}.m4s\n`);
    // More parts than the segment had: its next one counts.
    expect((await get(`/live/show.ll.m3u8?_HLS_msn=${sequence}&_HLS_part=9`)).status).toBe(200);
  });

  it.each(['_HLS_msn=x', '_HLS_part=1', '_HLS_msn=999999999999'])('refuses %s', async (query) => {
    const { get } = await started(10_700);
    await get('/live/show.ll.m3u8');
    expect((await get(`/live/show.ll.m3u8?${query}`)).status).toBe(400);
  });

  it('does not wait longer than three target durations', async () => {
    const { get, clock, hls } = await started(10_700);
    const sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec((await get('/live/show.ll.m3u8')).text)?.[1]);
    const reload = get(`/live/show.ll.m3u8?_HLS_msn=${sequence + 1}`);
    await pause();
    clock.pass(6000);
    hls.sweep();
    expect((await reload).status).toBe(503);
  });

  it('skips old segments for players that have read them', async () => {
    const { get, playUntil } = await started(5700);
    await get('/live/show.ll.m3u8');
    playUntil(30_000);
    const full = await get('/live/show.ll.m3u8');
    const delta = await get('/live/show.ll.m3u8?_HLS_skip=YES');
    const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(delta.text)?.[1]);
    expect(skipped).toBeGreaterThanOrEqual(3);
    expect(urisOf(delta.text)).toEqual(urisOf(full.text).slice(skipped));
    expect(delta.body.length).toBeLessThan(full.body.length);
  });

  it('marks a seam and sets decoders up anew', async () => {
    const { get, playUntil, source } = await started(5700);
    await get('/live/show.ll.m3u8');
    playUntil(8000);
    source.seam();
    source.play(sample(5, { size: '320x240' }), 8020);
    const { text } = await get('/live/show.ll.m3u8');
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    const inits = attributes(text, 'MAP:URI');
    expect(inits).toHaveLength(2);
    for (const init of inits) expect((await get(`/live/${init}`)).status).toBe(200);
  });

  it('stops when nobody asks any more, and counts from higher numbers when somebody does again', async () => {
    const { get, playUntil, clock, hls } = await started(5700);
    const before = Number(/MEDIA-SEQUENCE:(\d+)/.exec((await get('/live/show.ll.m3u8')).text)?.[1]);
    const [init = ''] = attributes((await get('/live/show.ll.m3u8')).text, 'MAP:URI');
    clock.pass(30_000);
    hls.sweep();
    expect((await get(`/live/${init}`)).status).toBe(404);
    playUntil(12_700);
    const after = Number(/MEDIA-SEQUENCE:(\d+)/.exec((await get('/live/show.ll.m3u8')).text)?.[1]);
    expect(after).toBeGreaterThan(before + 20);
  });
});
