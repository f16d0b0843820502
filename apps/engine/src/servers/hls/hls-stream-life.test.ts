import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FakeSource, sample, temporaryDirectory } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls, probe, urisOf } from './hls.fixture.ts';

describe('the life of an HLS stream', () => {
  it('slides its window and removes files a few segments later', async () => {
    const { source, get, gate, directory } = await openHls();
    for (let lap = 0; lap < 5; lap++) source.play(sample(9), lap * 9000);
    await vi.waitFor(() => expect(gate.segments).toHaveLength(22));
    const { text } = await get('/live/show.m3u8');
    expect(urisOf(text)).toHaveLength(8);
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:14\n');
    await vi.waitFor(async () => expect(await readdir(join(directory, 'live'))).toHaveLength(12));
    const cold = (await readdir(join(directory, 'live'))).find((name) => name.startsWith('show-11-')) ?? '';
    const answer = await get(`/live/${cold}`);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(await readFile(join(directory, 'live', cold)))).toBe(true);
    expect((await get('/live/show-0-1.ts')).status).toBe(404);
    expect((await get('/live/show-0-1.ts')).headers['cache-control']).toBe('no-store');
  });

  it('continues its numbers when the publisher returns, and marks the discontinuity', async () => {
    const { source, get, sweep, streams, clock, gate } = await openHls();
    source.play(sample(5));
    source.end();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    clock.pass(14_000);
    sweep();
    const again = new FakeSource(clock);
    streams.follow(again);
    again.play(sample(5, { size: '320x240' }));
    const { text } = await get('/live/show.m3u8');
    expect(urisOf(text).map((uri) => uri.split('-')[1])).toEqual(['0', '1', '2', '3', '4']);
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(text.indexOf('#EXT-X-DISCONTINUITY\n')).toBeGreaterThan(text.indexOf('show-2-'));
    expect(text.indexOf('#EXT-X-DISCONTINUITY\n')).toBeLessThan(text.indexOf('show-3-'));
  });

  it('removes everything when no publisher returns', async () => {
    const { source, get, sweep, clock, gate, directory } = await openHls({
      settings: { noHlsCtx: false, shortSegments: true },
    });
    source.play(sample(5));
    await get('/live/show.m3u8');
    source.end();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    clock.pass(15_000);
    sweep();
    expect((await get('/live/show.m3u8')).status).toBe(404);
    expect(gate.stopped).toHaveLength(1);
    await vi.waitFor(async () => expect(await readdir(directory)).toEqual([]));
  });

  it('loses nothing when audio begins later than video, as with SRT', async () => {
    const { source, get, directory, gate } = await openHls();
    const { configs, frames } = sample(9);
    const isSound = ({ kind }: { kind: string }) => kind === 'audio';
    for (const config of configs.filter((each) => !isSound(each))) source.config(config);
    const isEarly = ({ dtsMs }: { dtsMs: number }) => dtsMs < 700;
    for (const frame of frames.filter((each) => isEarly(each) && !isSound(each))) source.frame(frame);
    for (const config of configs.filter(isSound)) source.config(config);
    for (const frame of frames.filter((each) => isEarly(each) && isSound(each))) source.frame(frame);
    for (const frame of frames.filter((each) => !isEarly(each))) source.frame(frame);
    await vi.waitFor(() => expect(gate.segments).toHaveLength(4));
    const { text } = await get('/live/show.m3u8');
    expect(text).not.toContain('#EXT-X-DISCONTINUITY\n');
    const local = join(directory, 'all.m3u8');
    await writeFile(local, `${text.replaceAll('\nshow-', `\n${directory}/live/show-`)}#EXT-X-ENDLIST\n`);
    const { streams, errors } = await probe(local);
    expect(errors).toBe('');
    const framesOf = (codec: string) => Number(streams.find(({ codec_name }) => codec_name === codec)?.nb_read_frames);
    expect(framesOf('h264')).toBe(200);
    expect(framesOf('aac')).toBeGreaterThanOrEqual(370);
  });

  it('publishes the last segment soon after its publisher disconnected', async () => {
    const { source, sweep, gate, clock } = await openHls();
    source.play(sample(5));
    source.publisher = undefined;
    clock.pass(1000);
    sweep();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    expect(Math.round((gate.segments[2]?.durationMs ?? 0) / 1000)).toBe(1);
  });

  it('continues without a disk', async () => {
    const { source, get, gate, directory } = await openHls();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'not a directory');
    source.play(sample(9));
    const names = urisOf((await get('/live/show.m3u8')).text);
    expect(names).toHaveLength(4);
    expect((await get(`/live/${names[0]}`)).status).toBe(200);
    expect(gate.segments).toEqual([]);
    await rm(directory);
    source.play(sample(9), 9000);
    await vi.waitFor(() => expect(gate.segments.length).toBeGreaterThan(0));
  });

  it('continues the numbers of an earlier run, whose files are removed after a while', async () => {
    const directory = await temporaryDirectory();
    const first = await openHls({ directory });
    first.source.play(sample(5));
    await vi.waitFor(() => expect(first.gate.segments).toHaveLength(2));
    await first.hls.close();
    await first.streams.close();
    const second = await openHls({ directory });
    second.source.play(sample(5));
    const { text } = await second.get('/live/show.m3u8');
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n');
    second.clock.pass(60_000);
    second.sweep();
    await vi.waitFor(async () => expect(await readdir(join(directory, 'live'))).toEqual(urisOf(text)));
  });

  it('applies changed settings at the next cut', async () => {
    const { source, streams, get } = await openHls({ settings: { noHlsCtx: true, shortSegments: false } });
    source.play(sample(9));
    streams.update({ noHlsCtx: true, shortSegments: true });
    source.play(sample(9), 9000);
    const { text, headers } = await get('/live/show.m3u8');
    expect(text.match(/#EXTINF:[\d.]+/g)?.slice(0, 3)).toEqual(['#EXTINF:9.000', '#EXTINF:2.000', '#EXTINF:2.000']);
    expect(headers['cache-control']).toBe('public, max-age=1');
  });
});
