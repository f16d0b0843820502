import { describe, expect, it } from 'vitest';
import { sample } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from './hls.fixture.ts';

const token = 'e'.repeat(64);
const edge = { headers: { 'x-weir-edge': token } };

async function open(noHlsCtx = false) {
  const opened = await openHls({ settings: { noHlsCtx, shortSegments: true } });
  opened.hls.edges.set(token);
  opened.source.play(sample(9));
  return opened;
}

describe('HLS for an edge server', () => {
  it.each([false, true])('is the same for all its viewers, with high performance %s', async (noHlsCtx) => {
    const { get, gate } = await open(noHlsCtx);
    const master = await get('/live/show.m3u8', edge);
    expect(urisOf(master.text)).toEqual(['show.media.m3u8']);
    expect(master.headers['cache-control']).toBe('public, max-age=1');
    expect((await get('/live/show.m3u8', edge)).text).toBe(master.text);
    const media = await get('/live/show.media.m3u8', edge);
    expect(media.headers).toMatchObject({ 'cache-control': 'public, max-age=1', 'access-control-allow-origin': '*' });
    expect(urisOf(media.text)[0]).toMatch(/^show-0-\d+\.ts$/);
    expect(gate.played).toHaveLength(0);
  });

  it('has low-latency playlists that its cache may keep for a moment', async () => {
    const { hls, source, get, gate, heard } = await openHls({ settings: { noHlsCtx: false, shortSegments: true } });
    hls.edges.set(token);
    source.subtitles.setTracks([{ language: 'en', name: 'English', isDefault: true }]);
    const { configs, frames } = sample(9);
    for (const config of configs) source.config(config);
    const play = (fromMs: number, toMs: number) => {
      for (const frame of frames) if (frame.dtsMs > fromMs && frame.dtsMs <= toMs) source.frame(frame);
    };
    play(-1000, 4700);
    const [media = ''] = urisOf((await get('/live/show.ll.m3u8', edge)).text);
    expect(media).toBe('show.ll.media.m3u8');
    const asked = ['media', 'sub-en'].map((mark) => get(`/live/show.ll.${mark}.m3u8`, edge));
    await heard();
    play(4700, 7000);
    for (const { headers, text } of await Promise.all(asked)) {
      expect(headers['cache-control']).toBe('public, max-age=1');
      expect(text).toContain('CAN-BLOCK-RELOAD=YES');
    }
    expect(gate.played).toHaveLength(0);
  });

  it('offers subtitles that begin while its viewers watch', async () => {
    const { source, get } = await open();
    await get('/live/show.m3u8', edge);
    await get('/live/show.media.m3u8', edge);
    source.subtitles.setTracks([{ language: 'en', name: 'English', isDefault: true }]);
    expect((await get('/live/show.m3u8', edge)).text).toContain('URI="show.sub-en.m3u8"');
    const subtitles = await get('/live/show.sub-en.m3u8', edge);
    expect(urisOf(subtitles.text)[0]).toBe('show.sub-en.0.vtt');
  });

  it('does not change HLS for other clients', async () => {
    const { get, gate } = await open();
    await get('/live/show.m3u8', edge);
    const master = await get('/live/show.m3u8');
    expect(master.headers['cache-control']).toBe('no-cache');
    const [media = ''] = urisOf(master.text);
    expect(media).toMatch(/hls_ctx=/);
    expect((await get(`/live/${media}`)).headers['cache-control']).toBe('no-cache');
    expect(gate.played).toHaveLength(1);
    expect((await get('/weir-edge.m3u8')).status).toBe(404);
  });

  it('is refused with a wrong token, also at the address that checks the token', async () => {
    const { hls, get, gate } = await open();
    const asks = (name: string, shown: string) => get(name, { headers: { 'x-weir-edge': shown } });
    for (const shown of ['', 'x', token.slice(1), `${token}0`]) {
      expect((await asks('/live/show.m3u8', shown)).status).toBe(403);
      expect((await asks('/weir-edge.m3u8', shown)).status).toBe(403);
    }
    expect(await get('/weir-edge.m3u8', edge)).toMatchObject({ status: 200, text: '#EXTM3U\n' });
    hls.edges.set('');
    expect((await get('/live/show.m3u8', edge)).text).toContain('hls_ctx=');
    expect((await get('/weir-edge.m3u8', edge)).status).toBe(404);
    expect(gate.played).toHaveLength(1);
  });
});
