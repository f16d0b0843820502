import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { upload } from '../../media-sources/sources.fixture.ts';

const drawn = (size: string, codec: string, format: string) =>
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `color=c=teal:s=${size}`,
    '-frames:v',
    '1',
    '-c:v',
    codec,
    '-f',
    format,
    '-',
  ]);

/** A PNG that claims another size. */
function enlarged(png: Buffer, size: number): Buffer {
  png.writeUInt32BE(size, 16);
  png.writeUInt32BE(size, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  const save = (slate: object, more: object = {}) => {
    const inputs = [{ kind: 'publisher' }, { kind: 'slate', ...slate }];
    return server.call('live/program/save', { app: 'live', stream: 'show', inputs, ...more });
  };
  const sent = () => mediaServer.applied.findLast(({ programs }) => programs)?.programs?.[0]?.slate;
  const made = () => readdir(join(server.dataDir, 'slates')).catch(() => []);
  return { ...server, mediaServer, save, sent, made, server };
}

it('a slate has the uploaded picture with its text, in one format and size, and keeps the upload from being deleted', async () => {
  const { save, sent, made, server, call, dataDir } = await open();
  const { uuid } = (await upload(server, 'pause.jpg', drawn('400x300', 'mjpeg', 'image2pipe'))).data;
  const saved = await save({ picture: uuid, text: 'Back at {8} \\o/\n马上回来', leastBitrate: 600 });
  expect([saved.code, saved.data.message]).toEqual([0, undefined]);
  const files = await made();
  expect(files).toHaveLength(1);
  expect(sent()).toMatchObject({ picture: files[0], music: '', leastKbps: 600 });
  const png = await readFile(join(dataDir, 'slates', files[0] ?? ''));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1440]);
  // The text is on it: without one all pixels are alike.
  expect(png.length).toBeGreaterThan(15_000);
  expect((await call('ffmpeg/vlive/library/query', { kind: 'picture' })).data).toMatchObject([
    { source: { uuid }, usedBy: ['program/live/show'] },
  ]);
  expect((await call('ffmpeg/vlive/library/query')).data).toEqual([]);
  expect((await call('ffmpeg/vlive/library/remove', { uuid })).data.message).toContain('is used by program/live/show');
  await save({}, { uuid: saved.data.uuid });
  expect([await made(), sent()?.picture]).toEqual([[], '']);
});

it('makes the film and music of a slate again when their files are lost', async () => {
  const { save, sent, made, server, dataDir, mediaServer, call } = await open();
  const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine'];
  const film = execFileSync('ffmpeg', [...source, '-t', '2', '-f', 'mpegts', '-']);
  const { uuid } = (await upload(server, 'film.ts', film)).data;
  const { data } = await save({ picture: uuid, music: uuid });
  expect((await made()).map((name) => name.split('.')[1]).sort()).toEqual(['flac', 'mkv']);
  const before = sent();
  await rm(join(dataDir, 'slates'), { recursive: true });
  mediaServer.applied.length = 0;
  await save({ picture: uuid, music: uuid }, { uuid: data.uuid });
  expect([await made()].flat()).toHaveLength(2);
  expect(sent()).toEqual(before);
  expect((await call('live/program/query')).data.programs[0].inputs[1]).toMatchObject({ picture: uuid, music: uuid });
});

it.each([
  ['a text under the name of a picture', 'x.png', () => Buffer.from('#EXTM3U\nfile:///etc/passwd\n')],
  ['a picture of 20000 × 20000', 'x.png', () => enlarged(drawn('2x2', 'png', 'image2pipe'), 20_000)],
  ['a film under the name of a picture', 'x.jpg', () => drawn('320x180', 'mpeg4', 'mpegts')],
])('S24: a slate is refused with %s', async (_what, name, content) => {
  const { save, made, server } = await open();
  const { uuid } = (await upload(server, name, content())).data;
  const answer = await save({ picture: uuid });
  expect([answer.status, await made()]).toEqual([422, []]);
  expect(answer.data.message).not.toContain('/');
});

it('S24: a slate is refused with a file that this server does not have, or that has no audio', async () => {
  const { save, server } = await open();
  expect((await save({ picture: '../../etc/passwd' })).data.message).toContain('not a source of this server');
  const { uuid } = (await upload(server, 'x.png', drawn('320x180', 'png', 'image2pipe'))).data;
  expect((await save({ music: uuid })).data.message).toContain('no audio');
  expect((await save({ text: 'x'.repeat(121) })).status).toBe(422);
  expect(
    (await server.call('live/program/save', { app: 'live', stream: 'x', inputs: [{ kind: 'file', files: [uuid] }] }))
      .status,
  ).toBe(422);
});

it('a preview shows an input, or why there is none', async () => {
  const { save, mediaServer, inject, bearer, call } = await open();
  const { data } = await save({});
  const key = '__defaultVhost__/live/show';
  const movie = execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360', '-frames:v', '1', '-c:v', 'libx264'],
    ...['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-'],
  ]);
  const status = { id: 'publisher', state: 'good', fit: 'same', silentMs: 0, goodMs: 0, kbps: 0, fps: 0 } as const;
  const more = { video: '', audio: '', protocol: '', clientId: 'c1', fault: '' } as const;
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  const at = { onAir: 'publisher', onAirAtMs: 0, armed: '', isHeld: false, switches: [], gaps: [] };
  mediaServer.running = [{ ...place, ...at, inputs: [{ ...status, ...more }] }];
  mediaServer.keyframes.set(`${key}#publisher`, movie);
  mediaServer.keyframes.set(`${key}#slate`, movie);
  const ask = (input: string, headers: Record<string, string> = bearer) =>
    inject({ method: 'POST', url: '/terraform/v1/live/program/preview', payload: { uuid: data.uuid, input }, headers });
  for (const input of ['publisher', 'slate']) expect((await ask(input)).headers['content-type']).toBe('image/jpeg');
  expect((await ask('publisher', {})).statusCode).toBe(401);
  mediaServer.running = [];
  expect((await ask('publisher')).json()).toMatchObject({ data: { reason: 'not-live' } });
  expect((await call('live/program/preview', { uuid: data.uuid, input: 'none' })).status).toBe(404);
});
