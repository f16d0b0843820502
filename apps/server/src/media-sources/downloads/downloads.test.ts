import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { makeFilm } from '../media.fixture.ts';
import { api, files } from '../sources.fixture.ts';

let film: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
});

describe('a video download', () => {
  it('runs in the background, with progress, and becomes a source', async () => {
    const server = await createReadyApp();
    const content = await readFile(film);
    const page = createServer(({ url }, response) => {
      if (url !== '/film.mp4') return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': String(content.length) }).end(content);
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void page.close());
    const base = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const { data: begun } = await server.call(`${api}/downloads/begin`, { url: `${base}/film.mp4` });
    expect(begun).toMatchObject({ state: 'running', host: base.slice(7), file: null });
    // A second call for the same file joins the first.
    const { data: file } = await server.call(`${api}/ytdl`, { url: `${base}/film.mp4` });
    expect(file).toEqual({ name: 'film', uuid: begun.uuid, target: `upload/${begun.uuid}.mp4`, size: content.length });
    const chosen = await server.call(`${api}/source`, { platform: 'wx', files: [{ ...file, type: 'ytdl' }] });
    expect(chosen.data.files[0]).toMatchObject({
      type: 'ytdl',
      path: `${base}/film.mp4`,
      video: { codec_name: 'h264' },
    });
    const failed = await server.call(`${api}/ytdl`, { url: `${base}/nothing` });
    expect([failed.status, failed.data.message]).toEqual([422, expect.stringContaining('404')]);
    expect(await files(server)).toEqual([`vlive/${begun.uuid}.mp4`]);
  });

  it('can be cancelled, and leaves nothing behind', async () => {
    const server = await createReadyApp();
    const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<void>();
    const page = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'video/mp4', 'content-length': '100000000' })
        .write(Buffer.alloc(100_000));
      onAsked();
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      page.closeAllConnections();
      page.close();
    });
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/film.mp4`;
    const { data } = await server.call(`${api}/downloads/begin`, { url });
    await isAsked;
    expect((await server.call(`${api}/downloads/query`)).data).toMatchObject([{ uuid: data.uuid, state: 'running' }]);
    expect((await server.call(`${api}/downloads/cancel`, { uuid: data.uuid })).code).toBe(0);
    expect((await server.call(`${api}/downloads/query`)).data).toEqual([]);
    expect(await files(server)).toEqual([]);
  });

  it.each(['', 'httpx://a/b', '--exec=id', 'file:///etc/passwd', '-o /tmp/x http://a', 'http://a b/'])(
    'refuses %j',
    async (url) => {
      const server = await createReadyApp();
      expect((await server.call(`${api}/ytdl`, { url })).status).toBe(422);
    },
  );
});
