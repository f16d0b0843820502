import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { Refused } from '../../hub/clients/gate.ts';
import { FakeSource, openHls, publisherInfo, sample, temporaryDirectory, urisOf } from './hls.fixture.ts';

const run = promisify(execFile);

async function probe(
  url: string,
): Promise<{ streams: { codec_name: string; nb_read_frames: string }[]; errors: string }> {
  const args = ['-v', 'warning', '-live_start_index', '0', '-count_frames', '-show_streams', '-of', 'json', url];
  const { stdout, stderr } = await run('ffprobe', args, { timeout: 20_000, killSignal: 'SIGKILL' });
  return { streams: JSON.parse(stdout).streams, errors: stderr };
}

describe('ordinary HLS', () => {
  it('plays in ffprobe, with both tracks and without a complaint', async () => {
    const { source, get, directory, gate, hls } = await openHls();
    source.play(sample(9));
    await vi.waitFor(() => expect(gate.segments).toHaveLength(4));
    const playlist = await get('/live/show.m3u8');
    expect(playlist.status).toBe(200);
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(playlist.headers['content-length']).toBe(String(playlist.body.length));
    expect(playlist.headers.server).toBe('Weir/1.2.3');
    expect(playlist.text).toContain('#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n');
    expect(playlist.text).not.toContain('#EXT-X-DISCONTINUITY\n');
    const local = join(directory, 'all.m3u8');
    const names = urisOf(playlist.text);
    await writeFile(local, `${playlist.text.replaceAll('\nshow-', `\n${directory}/live/show-`)}#EXT-X-ENDLIST\n`);
    const { streams, errors } = await probe(local);
    expect(errors).toBe('');
    expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
    expect(streams.find(({ codec_name }) => codec_name === 'h264')?.nb_read_frames).toBe('200');
    expect(await readdir(join(directory, 'live'))).toEqual(names);
    expect(gate.segments[1]).toMatchObject({
      client: publisherInfo,
      file: join(directory, 'live', names[1] ?? ''),
      url: `live/${names[1]}`,
      m3u8: join(directory, 'live', 'show.m3u8'),
      m3u8Url: 'live/show.m3u8',
      durationSeconds: 2,
      sequence: 1,
    });
    hls.sweep();
  });

  it('serves a stream of another vhost where the query names it, and its segments', async () => {
    const { hls, clock, get } = await openHls();
    const source = new FakeSource(clock, 'live', 'show', 'other.example');
    hls.follow(source);
    source.play(sample(5));
    expect((await get('/live/show.m3u8?vhost=nobody')).status).toBe(404);
    const playlist = await get('/live/show.m3u8?vhost=other.example');
    const [first = ''] = urisOf(playlist.text);
    expect(first).toMatch(/^\/other\.example\/\/live\/show-0-\d+\.ts$/);
    expect((await get(first)).body[0]).toBe(0x47);
  });

  it('plays in ffprobe over HTTP, as a live stream in a session', async () => {
    const { source, origin, gate } = await openHls({ settings: { noHlsCtx: false, lowLatency: true } });
    source.play(sample(9));
    const args = ['-v', 'warning', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', `${origin}/live/show.m3u8`];
    const { stdout, stderr } = await run('ffprobe', args, { timeout: 20_000, killSignal: 'SIGKILL' });
    expect(stderr).toBe('');
    expect(new Set(stdout.trim().split(/\s+/))).toEqual(new Set(['h264', 'aac']));
    expect(gate.played).toHaveLength(1);
  });

  it('reads back over HTTP as the same bytes, whole, in ranges, and by HEAD', async () => {
    const { source, get, gate, directory } = await openHls();
    source.play(sample(9));
    await vi.waitFor(() => expect(gate.segments.length).toBeGreaterThan(0));
    const [name = ''] = urisOf((await get('/live/show.m3u8')).text);
    const file = await readFile(join(directory, 'live', name));
    const whole = await get(`/live/${name}`);
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp2t', 'cache-control': 'public, max-age=600' });
    expect(whole.body.equals(file)).toBe(true);
    const part = await get(`/live/${name}`, { headers: { range: 'bytes=188-375' } });
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 188-375/${file.length}`);
    expect(part.body.equals(file.subarray(188, 376))).toBe(true);
    expect((await get(`/live/${name}`, { headers: { range: `bytes=${file.length}-` } })).status).toBe(416);
    const head = await get(`/live/${name}`, { method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(file.length));
    expect(head.body).toHaveLength(0);
    expect((await get(`/live/${name}`, { method: 'POST' })).headers).toMatchObject({ allow: 'GET, HEAD' });
  });

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

  it('goes on with its numbers when the publisher returns, and marks the seam', async () => {
    const { source, get, hls, clock, gate } = await openHls();
    source.play(sample(5));
    source.end();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    clock.pass(14_000);
    hls.sweep();
    const again = new FakeSource(clock);
    hls.follow(again);
    again.play(sample(5, { size: '320x240' }));
    const { text } = await get('/live/show.m3u8');
    expect(urisOf(text).map((uri) => uri.split('-')[1])).toEqual(['0', '1', '2', '3', '4']);
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(text.indexOf('#EXT-X-DISCONTINUITY\n')).toBeGreaterThan(text.indexOf('show-2-'));
    expect(text.indexOf('#EXT-X-DISCONTINUITY\n')).toBeLessThan(text.indexOf('show-3-'));
  });

  it('takes everything away when nobody returns', async () => {
    const { source, get, hls, clock, gate, directory } = await openHls({
      settings: { noHlsCtx: false, lowLatency: true },
    });
    source.play(sample(5));
    await get('/live/show.m3u8');
    source.end();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    clock.pass(15_000);
    hls.sweep();
    expect((await get('/live/show.m3u8')).status).toBe(404);
    expect(gate.stopped).toHaveLength(1);
    await vi.waitFor(async () => expect(await readdir(directory)).toEqual([]));
  });

  it('loses nothing when sound joins its pictures late, as it does by SRT', async () => {
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

  it('shows the last part of a stream soon after its publisher left', async () => {
    const { source, hls, gate, clock } = await openHls();
    source.play(sample(5));
    source.publisher = undefined;
    clock.pass(1000);
    hls.sweep();
    await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
    expect(Math.round(gate.segments[2]?.durationSeconds ?? 0)).toBe(1);
  });

  it('lives on without a disk', async () => {
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

  it('continues the numbers of a former run, whose files go after a while', async () => {
    const directory = await temporaryDirectory();
    const first = await openHls({ directory });
    first.source.play(sample(5));
    await vi.waitFor(() => expect(first.gate.segments).toHaveLength(2));
    await first.hls.close();
    const second = await openHls({ directory });
    second.source.play(sample(5));
    const { text } = await second.get('/live/show.m3u8');
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n');
    second.clock.pass(60_000);
    second.hls.sweep();
    await vi.waitFor(async () => expect(await readdir(join(directory, 'live'))).toEqual(urisOf(text)));
  });

  it('waits a moment for the first segment of a stream that just began', async () => {
    const { source, get, hls, clock } = await openHls();
    const waiting = get('/live/show.m3u8');
    await new Promise((resolve) => setTimeout(resolve, 50));
    source.play(sample(5));
    expect((await waiting).status).toBe(200);
    const other = new FakeSource(clock, 'live', 'other');
    hls.follow(other);
    const late = get('/live/other.m3u8');
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.pass(8000);
    hls.sweep();
    expect((await late).status).toBe(404);
  });

  it.each([
    ['sound alone', { video: false }],
    ['pictures alone', { audio: false }],
  ])('carries %s', async (_name, tracks) => {
    const { source, get } = await openHls();
    source.play(sample(9, tracks));
    expect(urisOf((await get('/live/show.m3u8')).text)).toHaveLength(4);
  });

  it('finds names that need escaping', async () => {
    const { hls, clock, get } = await openHls();
    const odd = new FakeSource(clock, 'live/stu dio', 'a b#?%2F..é');
    hls.follow(odd);
    odd.play(sample(5));
    const path = '/live/stu%20dio/';
    const [name = ''] = urisOf((await get(`${path}${encodeURIComponent('a b#?%2F..é')}.m3u8`)).text);
    expect((await get(path + name)).status).toBe(200);
    expect((await get(path.replace('i', '%69') + name)).status).toBe(200);
  });

  it('takes a change of settings at the next cut', async () => {
    const { source, hls, get } = await openHls({ settings: { noHlsCtx: true, lowLatency: false } });
    source.play(sample(9));
    hls.update({ noHlsCtx: true, lowLatency: true });
    source.play(sample(9), 9000);
    const { text, headers } = await get('/live/show.m3u8');
    expect(text.match(/#EXTINF:[\d.]+/g)?.slice(0, 3)).toEqual(['#EXTINF:9.000', '#EXTINF:2.000', '#EXTINF:2.000']);
    expect(headers['cache-control']).toBe('public, max-age=1');
  });
});

describe('HLS sessions', () => {
  const settings = { noHlsCtx: false, lowLatency: true };

  it('gives each viewer a session, counts it, and ends it when it is silent', async () => {
    const { source, get, gate, hls, clock, clients } = await openHls({ settings });
    source.play(sample(9));
    const master = await get('/live/show.m3u8?token=x%26y');
    expect(master.headers['cache-control']).toBe('no-cache');
    expect(master.text).toMatch(/^#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\d+,RESOLUTION=160x120\nshow\.m3u8\?/);
    const [uri = ''] = urisOf(master.text);
    expect(uri).toMatch(/^show\.m3u8\?token=x%26y&hls_ctx=[0-9a-f]{16}$/);
    const media = await get(`/live/${uri}`);
    expect(media.text).toContain('#EXTINF');
    expect(media.headers['cache-control']).toBe('no-cache');
    expect(gate.played).toHaveLength(1);
    expect(gate.played[0]).toMatchObject({ kind: 'hls-play', address: '127.0.0.1', param: '?token=x%26y' });
    expect(hls.clients()[0]?.counters.bytesOut).toBe(media.body.length);
    expect(clients.size).toBe(1);
    clock.pass(31_000);
    await get(`/live/${uri}`);
    clock.pass(31_000);
    hls.sweep();
    expect(gate.stopped).toEqual([]);
    clock.pass(1000);
    hls.sweep();
    expect(gate.stopped).toHaveLength(1);
    expect(clients.size).toBe(0);
  });

  it('takes a session of a former run as a new one', async () => {
    const { source, get, gate } = await openHls({ settings });
    source.play(sample(9));
    const path = '/live/show.m3u8?hls_ctx=0123456789abcdef';
    const answers = await Promise.all([get(path), get(path), get(path)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(gate.played.map(({ id }) => id)).toEqual(['0123456789abcdef']);
    expect((await get('/live/show.m3u8?hls_ctx=../x')).status).toBe(404);
  });

  it('does not open one stream with the session of another', async () => {
    const { source, hls, clock, get } = await openHls({ settings });
    const other = new FakeSource(clock, 'live', 'other');
    hls.follow(other);
    source.play(sample(9));
    other.play(sample(9));
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    expect((await get(`/live/${uri.replace('show', 'other')}`)).status).toBe(404);
  });

  it('tells who is refused, sent away, or one too many', async () => {
    const { source, get, gate, hls } = await openHls({ settings, maxSessions: 1 });
    source.play(sample(9));
    gate.refusal = new Refused('not for you');
    const refused = await get('/live/show.m3u8');
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({ code: 3000, data: { message: 'not for you' } });
    gate.refusal = undefined;
    const [unused = ''] = urisOf((await get('/live/show.m3u8')).text);
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    expect(gate.stopped.map(({ id }) => id)).toEqual([unused.slice(-16)]);
    expect((await get(`/live/${uri}`)).status).toBe(200);
    expect((await get('/live/show.m3u8')).status).toBe(503);
    expect(hls.kick(hls.clients()[0]?.info.id ?? '')).toBe(true);
    expect((await get(`/live/${uri}`)).status).toBe(403);
    expect(gate.stopped).toHaveLength(2);
    expect(hls.kick('nobody')).toBe(false);
  });
});
