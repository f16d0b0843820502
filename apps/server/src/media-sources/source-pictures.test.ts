import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createReadyApp } from '../app.ready.fixture.ts';
import { makeFilm } from './media.fixture.ts';
import { api, prepared } from './sources.fixture.ts';

async function open() {
  const app = await createReadyApp();
  const path = `/terraform/v1/${api}/library/picture`;
  const picture = (id: string, headers = app.bearer) =>
    app.inject({ method: 'POST', url: path, payload: { uuid: id }, headers });
  return { ...app, picture };
}
const isJpeg = (bytes: Buffer) => bytes.readUInt16BE(0) === 0xffd8 && bytes.length > 1000;

it('shows one frame of a film and of a remote stream as JPEG, and contacts the stream once a minute', async () => {
  const server = await open();
  const { uuid: film } = await prepared(server, await makeFilm({ name: 'film.mp4' }));
  const answer = await server.picture(film);
  expect(answer.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
  expect(isJpeg(answer.rawPayload)).toBe(true);

  const flv = await readFile(await makeFilm({ name: 'remote.flv', size: '640x360' }));
  let requests = 0;
  const remote = createServer((_request, response) => {
    requests += 1;
    response.end(flv);
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void remote.close());
  const url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}/live.flv`;
  const { data: stream } = await server.call(`${api}/stream-url`, { url });
  const first = await server.picture(stream.uuid);
  expect(isJpeg(first.rawPayload)).toBe(true);
  const asked = requests;
  expect((await server.picture(stream.uuid)).rawPayload).toEqual(first.rawPayload);
  expect(requests).toBe(asked);
  const { data: chosen } = await server.call(`${api}/source`, { platform: 'wx', files: [{ uuid: stream.uuid }] });
  expect(chosen.files[0].video).toMatchObject({ width: 640, height: 360, fps: 25 });
});

it('reports why a source has no picture, and shows none to strangers', async () => {
  const server = await open();
  const sound = await makeFilm({ name: 'sound.mp4', codec: ['-vn'] });
  const { uuid: heard } = await prepared(server, sound);
  expect((await server.picture(heard)).json()).toMatchObject({ code: 0, data: { reason: 'no-video' } });
  const { data: gone } = await server.call(`${api}/stream-url`, { url: 'rtmp://127.0.0.1:9/live/x' });
  expect((await server.picture(gone.uuid)).json()).toMatchObject({ code: 0, data: { reason: 'unreadable' } });
  expect((await server.picture('b6a1c0de-0000-4000-8000-000000000000')).statusCode).toBe(422);
  expect((await server.picture(heard, { authorization: 'Bearer wrong' })).statusCode).toBe(401);
});
