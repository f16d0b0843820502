import { describe, expect, it } from 'vitest';
import { api, RecordingServer } from '../record-feature.fixture.ts';

const server = new RecordingServer();

describe('a recording', () => {
  it('S23: is played with the credential or by a link to it, and no other way', async () => {
    const one = await server.finish(await server.record('mine'));
    const other = await server.finish(await server.record('theirs'));
    const link = (await server.call('sign', { uuid: one.uuid })).data;
    const playlist = (await server.get(link.m3u8)).body;
    const segment = playlist.split('\n').find((line) => line.startsWith('/')) ?? '';
    const paths = [link.m3u8, link.mp4, link.thumbnail, segment, segment.replace('/hls/record/', '/hls/')] as string[];
    for (const path of paths) expect([path, (await server.get(path)).statusCode]).toEqual([path, 200]);
    for (const path of paths) {
      const bare = path.split('?')[0] ?? '';
      const toOther = path.replace(one.uuid, other.uuid);
      const later = path.replace(/sign=\d+/, 'sign=99999999999');
      for (const [url, headers] of [
        [bare, {}],
        [toOther, {}],
        [later, {}],
        [bare, { authorization: 'Bearer wrong' }],
        [`${bare}?token=wrong`, {}],
        [`${bare}?sign=`, {}],
        [`${bare}?sign=1&sign=2`, {}],
      ] as const) {
        const answer = await server.get(url, headers);
        expect([url, answer.statusCode, answer.json().code]).toEqual([url, 401, 2001]);
      }
      expect((await server.get(bare, { authorization: `Bearer ${server.bearer}` })).statusCode).toBe(200);
      expect((await server.get(`${bare}?token=${server.bearer}`)).statusCode).toBe(200);
    }
    // Listed addresses need no header, even if the playlist was requested with one, and reveal no credential.
    const asked = await server.get(`${api}/hls/${one.uuid}/index.m3u8?token=${server.bearer}`);
    expect(asked.body).not.toContain(server.bearer);
    expect((await server.get(asked.body.split('\n').find((line) => line.startsWith('/')) ?? '')).statusCode).toBe(200);
  });

  it('S12: serves no other paths', async () => {
    const [one] = await server.list('mine');
    const headers = { authorization: `Bearer ${server.bearer}` };
    for (const path of [
      '',
      'x',
      'x.m3u8',
      '../query',
      '..%2f..%2fweir.db',
      `${one?.uuid}/segments.log`,
      `${one?.uuid}/../../weir.db`,
      `${one?.uuid}/..%2f${one?.uuid}%2findex.mp4`,
      `record/${one?.uuid}/x.ts`,
      `${one?.uuid?.toUpperCase()}.m3u8`,
      '00000000-0000-4000-8000-000000000000.m3u8',
      '00000000-0000-4000-8000-000000000000/index.mp4',
    ])
      expect([path, (await server.get(`${api}/hls/${path}`, headers)).statusCode]).toEqual([
        path,
        path === '../query' ? 200 : 404,
      ]);
  });

  it('has WebVTT without cues while nothing was said, and no transcript to download', async () => {
    const [one] = await server.list('mine');
    const { vtt, srt, txt } = (await server.call('sign', { uuid: one?.uuid })).data;
    const answer = await server.get(vtt);
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      200,
      'WEBVTT\n\n',
      'text/vtt; charset=utf-8',
    ]);
    for (const path of [srt, txt]) expect((await server.get(path)).statusCode).toBe(404);
  });

  it('is sent whole, in ranges, or not at all, with a file name for saving', async () => {
    const [one] = await server.list('mine');
    const { mp4 } = (await server.call('sign', { uuid: one?.uuid })).data;
    const whole = await server.get(mp4);
    const { etag = '' } = whole.headers;
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes' });
    expect(Number(whole.headers['content-length'])).toBe(one?.mp4Bytes);
    const part = await server.get(mp4, { range: 'bytes=10-19' });
    expect([part.statusCode, part.headers['content-range'], part.rawPayload]).toEqual([
      206,
      `bytes 10-19/${one?.mp4Bytes}`,
      whole.rawPayload.subarray(10, 20),
    ]);
    expect((await server.get(mp4, { range: 'bytes=-5' })).rawPayload).toEqual(whole.rawPayload.subarray(-5));
    const beyond = await server.get(mp4, { range: `bytes=${one?.mp4Bytes}-` });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${one?.mp4Bytes}`]);
    expect((await server.get(mp4, { 'if-none-match': String(etag) })).statusCode).toBe(304);
    expect((await server.get(mp4, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
    const head = await server.get(mp4, {}, 'HEAD');
    expect([head.statusCode, head.body, Number(head.headers['content-length'])]).toEqual([200, '', one?.mp4Bytes]);
    expect((await server.get(`${mp4}&download=1`)).headers['content-disposition']).toMatch(
      /^attachment; filename="live-mine-[\d-]+\.mp4"$/,
    );
  });
});
