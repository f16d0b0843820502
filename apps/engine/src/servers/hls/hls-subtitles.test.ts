import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { sample } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from './hls.fixture.ts';

const english = { language: 'en', name: 'English', isDefault: true };
const cue = (id: string, startMs: number, endMs: number) => ({ id, startMs, endMs, text: `says ${id}` });
const settings = (noHlsCtx: boolean) => ({ settings: { noHlsCtx, shortSegments: true } });
const renditionOf = (text: string) => /TYPE=SUBTITLES.*URI="([^"]+)"/.exec(text)?.[1] ?? '';
const lines = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line));

/** A stream with a keyframe each second, played by the test; segments of two seconds. */
async function open(noHlsCtx: boolean) {
  const opened = await openHls(settings(noHlsCtx));
  const { configs, frames } = sample(40);
  for (const config of configs) opened.source.config(config);
  let next = 0;
  const playUntil = (ms: number) => {
    for (let frame: MediaFrame | undefined = frames[next]; frame && frame.dtsMs <= ms; frame = frames[++next])
      opened.source.frame(frame);
  };
  return { ...opened, playUntil };
}

describe('HLS subtitles', { timeout: 30_000 }, () => {
  it('match the video segments in numbers, dates and discontinuities', async () => {
    const { source, get, playUntil } = await open(false);
    playUntil(4500);
    source.seam();
    playUntil(9100);
    source.subtitles.setTracks([english]);
    source.subtitles.add('en', [cue('a', 6500, 8500)]);
    const { text: master } = await get('/live/show.m3u8?token=t');
    expect(renditionOf(master)).toMatch(/^show\.sub-en\.m3u8\?token=t&hls_ctx=[0-9a-f]{16}$/);
    const [media = ''] = urisOf(master);
    const video = await get(`/live/${media}`);
    const subtitles = await get(`/live/${renditionOf(master)}`);
    expect(subtitles.headers).toMatchObject({ 'content-type': 'application/vnd.apple.mpegurl' });
    const tags = /^#/;
    expect(lines(subtitles.text, tags)).toEqual(lines(video.text, tags));
    expect(video.text).toContain('#EXT-X-DISCONTINUITY\n');
    const numbers = urisOf(video.text).map((uri) => /^show-(\d+)-/.exec(uri)?.[1]);
    expect(urisOf(subtitles.text)).toEqual(numbers.map((number) => `show.sub-en.${number}.vtt`));
    const pieces = await Promise.all(urisOf(subtitles.text).map((uri) => get(`/live/${uri}`)));
    expect(pieces.map(({ text }) => text.includes('says a'))).toEqual([false, false, false, true, true]);
    expect(pieces[4]?.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'cache-control': 'public, max-age=2',
    });
    expect(pieces[4]?.text).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:07.000,MPEGTS:630000\n\na\n00:00:06.500 --> 00:00:08.500\nsays a\n',
    );
  });

  it('contain the cues that are known at the time of the request', async () => {
    const { source, get, playUntil } = await open(true);
    source.subtitles.setTracks([english]);
    playUntil(4500);
    const piece = async (number: number) => (await get(`/live/show.sub-en.${number}.vtt`)).text;
    expect(await piece(0)).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=.*\n$/);
    source.subtitles.add('en', [cue('late', 1000, 1500)]);
    playUntil(6500);
    expect([await piece(0), await piece(1), await piece(2)].map((text) => text.includes('late'))).toEqual([
      true,
      false,
      true,
    ]);
    source.subtitles.add('en', [{ ...cue('late', 1000, 1500), text: '' }]);
    expect(await piece(0)).not.toContain('late');
  });

  it('change nothing for a stream that has none', async () => {
    const { get, playUntil } = await open(false);
    playUntil(4500);
    const { text } = await get('/live/show.m3u8');
    expect(text).toMatch(/^#EXTM3U\n.*\n#EXT-X-STREAM-INF:BANDWIDTH=\d+,[^\n]*\nshow\.m3u8\?hls_ctx=[0-9a-f]{16}\n$/);
    const [media = ''] = urisOf(text);
    for (const path of [media.replace('show', 'show.sub-en'), 'show.sub-en.0.vtt', 'show.ll.sub-en.1.0.vtt'])
      expect((await get(`/live/${path}`)).status).toBe(404);
  });

  it('are switched on and off while players continue with the playlists they have', async () => {
    const { source, get, playUntil } = await open(false);
    playUntil(4500);
    const [early = ''] = urisOf((await get('/live/show.m3u8')).text);
    source.subtitles.setTracks([english]);
    const rendition = renditionOf((await get('/live/show.m3u8')).text);
    expect((await get(`/live/${early}`)).text).toContain('#EXTINF');
    source.subtitles.add('en', [cue('a', 2500, 3500)]);
    source.subtitles.setTracks([]);
    expect(renditionOf((await get('/live/show.m3u8')).text)).toBe('');
    const playlist = await get(`/live/${rendition}`);
    expect(playlist.text).toContain('show.sub-en.1.vtt');
    expect((await get('/live/show.sub-en.1.vtt')).text).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=.*\n$/);
  });

  it('require a session, like the video', async () => {
    const { source, get, playUntil } = await open(false);
    source.subtitles.setTracks([english]);
    playUntil(4500);
    expect((await get('/live/show.sub-en.m3u8')).status).toBe(404);
    expect((await get('/live/show.sub-en.m3u8?hls_ctx=0123456789abcdef')).text).toContain('.vtt');
  });

  it('without sessions do not affect clients that follow the video', async () => {
    const { source, get, playUntil, clock } = await open(true);
    playUntil(4500);
    const before = (await get('/live/show.m3u8')).text;
    source.subtitles.setTracks([english]);
    expect((await get('/live/show.m3u8')).text).toBe(before);
    clock.pass(33_000);
    expect((await get('/live/show.m3u8?hls_ctx=0123456789abcdef')).text).toBe(before);
    clock.pass(33_000);
    const { text, headers } = await get('/live/show.m3u8');
    expect([urisOf(text), renditionOf(text)]).toEqual([['show.media.m3u8'], 'show.sub-en.m3u8']);
    expect(headers['cache-control']).toBe('public, max-age=1');
    expect((await get('/live/show.media.m3u8')).text).toBe(before);
    expect((await get('/live/show.sub-en.m3u8')).text).toContain('show.sub-en.1.vtt');
    // An earlier request does not affect later ones.
    expect((await get('/live/show.m3u8')).text).toBe(text);
  });

  it('give no access to a stream whose name looks like theirs', async () => {
    const { source, streams, get, playUntil } = await open(true);
    source.subtitles.setTracks([english]);
    playUntil(4500);
    expect((await get('/live/show.sub-en.m3u8')).text).toContain('.vtt');
    expect(streams.find('live/show.sub-en')).toBeUndefined();
    for (const path of [
      '/live/show.sub-fr.m3u8',
      '/live/show.sub-en.9.vtt',
      '/live/show.sub-en.0.1.vtt',
      '/live/other.sub-en.0.vtt',
    ])
      expect((await get(path)).status).toBe(404);
  });

  it('come in parts with low-latency HLS, and a late cue comes in the next part', async () => {
    const { source, get, playUntil } = await open(true);
    source.subtitles.setTracks([english]);
    playUntil(4700);
    const asked = get('/live/show.ll.media.m3u8');
    await new Promise((resolve) => setTimeout(resolve, 50));
    playUntil(6700);
    const video = await asked.then(() => get('/live/show.ll.media.m3u8'));
    const subtitles = (await get('/live/show.ll.sub-en.m3u8')).text;
    const plain = (text: string) => text.replace(/#EXT-X-MAP.*\n/, '').replace(/URI="[^"]+"(,INDEPENDENT=YES)?/g, '');
    const tags = /^#/;
    expect(lines(plain(subtitles), tags)).toEqual(lines(plain(video.text), tags));
    const [, sequence, part] = /PRELOAD-HINT:TYPE=PART,URI="show\.ll\.sub-en\.(\d+)\.(\d+)\.vtt"/.exec(subtitles) ?? [];
    const reload = get(`/live/show.ll.sub-en.m3u8?_HLS_msn=${sequence}&_HLS_part=${part}`);
    const hinted = get(`/live/show.ll.sub-en.${sequence}.${part}.vtt`);
    source.subtitles.add('en', [cue('late', 4000, 5000)]);
    playUntil(7100);
    expect((await reload).text).toContain(`URI="show.ll.sub-en.${sequence}.${part}.vtt"`);
    const { text } = await hinted;
    const atMs = Number(/^\d\d:\d\d:(\d\d\.\d{3}) -->/m.exec(text)?.[1]) * 1000;
    expect(text).toContain('says late');
    // A player a second behind sees it at once.
    expect(atMs).toBeGreaterThan(5600);
    expect(atMs).toBeLessThan(5800);
    expect((await get(`/live/show.ll.sub-en.${sequence}.40.vtt`)).status).toBe(404);
    expect((await get(`/live/show.ll.sub-en.${Number(sequence) - 1}.vtt`)).text).toContain('WEBVTT');
  });
});
