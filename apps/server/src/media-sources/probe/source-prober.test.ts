import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { makeFilm } from '../media.fixture.ts';
import { api, uuid } from '../sources.fixture.ts';

let film: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
});

describe('a remote stream as a source', () => {
  async function serve(answer: (path: string) => string | Buffer | undefined) {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const body = answer(url);
      if (body === undefined) response.statusCode = 404;
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { asked, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  const segments = (...uris: string[]) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:3\n${uris.map((uri) => `#EXTINF:2,\n${uri}\n`).join('')}#EXT-X-ENDLIST\n`;

  it('is accepted by its address under both names of the call', async () => {
    const server = await createReadyApp();
    for (const call of ['stream-url', 'streamUrl']) {
      const { data } = await server.call(`${api}/${call}`, { url: 'rtmp://127.0.0.1/live/show?x=1' });
      expect(data).toEqual({
        name: 'show',
        uuid: expect.stringMatching(uuid),
        target: 'rtmp://127.0.0.1/live/show?x=1',
      });
    }
    for (const url of [
      '',
      'file:///etc/passwd',
      'http://127.0.0.1/a.mp4',
      'rtmp://169.254.169.254/x',
      '-i /etc/passwd',
    ]) {
      expect((await server.call(`${api}/stream-url`, { url })).status).toBe(422);
    }
  });

  it.each([
    ['rtmp://127.0.0.1:9/live/show', 'connection-refused'],
    ['rtsp://127.0.0.1:9/1', 'connection-refused'],
    ['rtmp://no-such-host.invalid/live/show', 'name-unknown'],
  ])('with %s that cannot be read is reported as: %s', async (url, kind) => {
    const server = await createReadyApp();
    const { data: stream } = await server.call(`${api}/stream-url`, { url });
    const answer = await server.call(`${api}/source`, { platform: 'wx', files: [{ uuid: stream.uuid }] });
    expect([answer.status, answer.data.why.kind]).toEqual([422, kind]);
  });

  it('may be a playlist, but not one that leads to files of this machine or into its network', async () => {
    const server = await createReadyApp();
    const segment = await readFile(await makeFilm({ name: 'segment.ts' }));
    const inner = await serve(() => segment);
    const { base } = await serve((path) => {
      if (path === '/segment.ts') return segment;
      if (path === '/good.m3u8') return segments('segment.ts');
      if (path === '/file.m3u8') return segments('file:///etc/passwd', `file://${film}`);
      if (path === '/ts-file.m3u8') return segments(`file://${film.replace(/film.mp4$/, 'segment.ts')}`);
      if (path === '/inner.m3u8') return segments(`${inner.base}/segment.ts`);
      if (path === '/metadata.m3u8') return segments('http://169.254.169.254/latest/a.ts');
      if (path === '/concat.flv') return `ffconcat version 1.0\nfile ${inner.base}/segment.ts\n`;
      return undefined;
    });
    const choose = async (path: string) => {
      const { data } = await server.call(`${api}/stream-url`, { url: `${base}/${path}` });
      return server.call(`${api}/source`, { platform: 'wx', files: [{ uuid: data.uuid, type: 'stream' }] });
    };
    expect((await choose('good.m3u8')).data.files[0]).toMatchObject({
      type: 'stream',
      size: 0,
      video: { codec_name: 'h264' },
    });
    for (const path of ['file.m3u8', 'ts-file.m3u8', 'concat.flv', 'nothing.m3u8'])
      expect((await choose(path)).status).toBe(422);
    for (const path of ['inner.m3u8', 'metadata.m3u8']) {
      expect((await choose(path)).data.message).toMatch(/leads to another address: .*(private address|link-local)/);
    }
    expect(inner.asked).toEqual([]);
  });
});
