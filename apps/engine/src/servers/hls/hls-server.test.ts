import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { FakeSource, publisherInfo, sample } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls, probe, urisOf } from './hls.fixture.ts';

const run = promisify(execFile);

describe('ordinary HLS', () => {
  it('plays in ffprobe, with both tracks and without a warning', async () => {
    const { source, get, directory, gate, sweep } = await openHls();
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
      durationMs: 2000,
      sequence: 1,
    });
    sweep();
  });

  it('serves a stream of another vhost that the query names, and its segments', async () => {
    const { streams, clock, get } = await openHls();
    const source = new FakeSource(clock, 'live', 'show', 'other.example');
    streams.follow(source);
    source.play(sample(5));
    expect((await get('/live/show.m3u8?vhost=nobody')).status).toBe(404);
    const playlist = await get('/live/show.m3u8?vhost=other.example');
    const [first = ''] = urisOf(playlist.text);
    expect(first).toMatch(/^\/other\.example\/\/live\/show-0-\d+\.ts$/);
    expect((await get(first)).body[0]).toBe(0x47);
  });

  it('plays in ffprobe over HTTP, as a live stream in a session', async () => {
    const { source, origin, gate } = await openHls({ settings: { noHlsCtx: false, shortSegments: true } });
    source.play(sample(9));
    const args = ['-v', 'warning', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', `${origin}/live/show.m3u8`];
    const { stdout, stderr } = await run('ffprobe', args, { timeout: 60_000, killSignal: 'SIGKILL' });
    expect(stderr).toBe('');
    expect(new Set(stdout.trim().split(/\s+/))).toEqual(new Set(['h264', 'aac']));
    expect(gate.played).toHaveLength(1);
  });

  it('returns the same bytes over HTTP as a whole, in ranges, and by HEAD', async () => {
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

  it('answers 304 to a cache that has the file, from memory or from the disk', async () => {
    const { source, get, streams } = await openHls();
    source.play(sample(9));
    const [name = ''] = urisOf((await get('/live/show.m3u8')).text);
    const tag = (await get(`/live/${name}`)).headers.etag ?? '';
    const ask = async (headers: Record<string, string>) => {
      const { status, body, headers: answer } = await get(`/live/${name}`, { headers });
      return [status, body.length, answer.etag, answer['cache-control']];
    };
    const caching = 'public, max-age=600';
    const fromBoth = async () => [
      await ask({ 'if-none-match': tag }),
      await ask({ 'if-none-match': tag, range: 'bytes=0-9' }),
      await ask({ 'if-range': tag, range: 'bytes=0-9' }),
      await ask({ 'if-range': '"other"', range: 'bytes=0-9' }),
    ];
    const size = Number.parseInt(tag.slice(1, -1), 16);
    const expected = [
      [304, 0, tag, caching],
      [304, 0, tag, caching],
      [206, 10, tag, caching],
      [200, size, tag, caching],
    ];
    expect(await fromBoth()).toEqual(expected);
    streams.pieces.delete(`/live/${name}`);
    await vi.waitFor(async () => expect(await fromBoth()).toEqual(expected));
  });

  it('returns the same playlist until there is a new segment', async () => {
    const { source, get } = await openHls();
    const { configs, frames } = sample(9);
    source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs < 7000) });
    const first = await get('/live/show.m3u8');
    const again = () => get('/live/show.m3u8', { headers: { 'if-none-match': first.headers.etag ?? '' } });
    expect((await again()).status).toBe(304);
    source.play({ configs: [], frames: frames.filter(({ dtsMs }) => dtsMs >= 7000) });
    expect((await again()).status).toBe(200);
  });

  it('waits a moment for the first segment of a stream that just began', async () => {
    const { source, get, sweep, streams, clock } = await openHls();
    const waiting = get('/live/show.m3u8');
    await new Promise((resolve) => setTimeout(resolve, 50));
    source.play(sample(5));
    expect((await waiting).status).toBe(200);
    const other = new FakeSource(clock, 'live', 'other');
    streams.follow(other);
    const late = get('/live/other.m3u8');
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.pass(8000);
    sweep();
    const { status, headers } = await late;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it('waits as long as the first segment may take, and answers 404 for a stream that ended without any', async () => {
    const { source, get, sweep, streams, clock } = await openHls({
      settings: { noHlsCtx: true, shortSegments: false },
    });
    const short = new FakeSource(clock, 'live', 'short');
    streams.follow(short);
    const asked = [get('/live/show.m3u8'), get('/live/short.m3u8')];
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { configs, frames } = sample(13);
    // Its first segment has ten seconds, and is awaited from its first picture on.
    source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs < 9900) });
    sweep();
    source.play({ configs: [], frames: frames.filter(({ dtsMs }) => dtsMs >= 9900) });
    const [first, second] = asked;
    expect((await first)?.status).toBe(200);
    short.end();
    clock.pass(20_000);
    sweep();
    expect((await second)?.status).toBe(404);
  });

  it.each([
    ['sound alone', { video: false }],
    ['pictures alone', { audio: false }],
  ])('carries %s', async (_name, tracks) => {
    const { source, get } = await openHls();
    source.play(sample(9, tracks));
    expect(urisOf((await get('/live/show.m3u8')).text)).toHaveLength(4);
  });

  it('finds streams whose names need escaping', async () => {
    const { streams, clock, get } = await openHls();
    const odd = new FakeSource(clock, 'live/stu dio', 'a b#?%2F..é');
    streams.follow(odd);
    odd.play(sample(5));
    const path = '/live/stu%20dio/';
    const [name = ''] = urisOf((await get(`${path}${encodeURIComponent('a b#?%2F..é')}.m3u8`)).text);
    expect((await get(path + name)).status).toBe(200);
    expect((await get(path.replace('i', '%69') + name)).status).toBe(200);
  });
});
