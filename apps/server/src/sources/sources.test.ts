import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createReadyApp } from '../app.ready.fixture.ts';
import { FakeClock } from '../core/clock.fixture.ts';
import { OutgoingMedia } from '../core/outgoing/media/outgoing-media.ts';
import { OutgoingProxy } from '../core/outgoing/media/outgoing-proxy.ts';
import { OutgoingRelay } from '../core/outgoing/media/outgoing-relay.ts';
import { OwnNames } from '../core/outgoing/own-names.ts';
import { makeFilm } from './media.fixture.ts';
import { Sources } from './sources.ts';

const api = 'ffmpeg/vlive';
const bearer = { authorization: 'Bearer srs-v2-00000000000000000000000000000000' };
const uuid = /^[0-9a-f-]{36}$/;

let film: string;
let other: string;
let wide: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
  other = await makeFilm({ name: 'other.mp4', tone: 880 });
  wide = await makeFilm({ name: 'wide.mp4', size: '640x180' });
});

type Server = Awaited<ReturnType<typeof createReadyApp>>;

async function send(server: Server, url: string, payload: Buffer, headers: Record<string, string> = bearer) {
  const options: InjectOptions = { method: 'POST', url: `/terraform/v1/${api}/${url}`, payload, headers };
  const response = await server.inject(options);
  return { status: response.statusCode, ...response.json() };
}

function form(name: string, content: Buffer): { payload: Buffer; headers: Record<string, string> } {
  const written = name.replaceAll('"', '%22');
  const head = `--b\r\nContent-Disposition: form-data; name="${written}"; filename="${written}"\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
  return { payload, headers: { ...bearer, 'content-type': 'multipart/form-data; boundary=b' } };
}

async function upload(server: Server, name: string, content: Buffer) {
  const { payload, headers } = form(name, content);
  return send(server, `upload/${encodeURIComponent(name)}`, payload, headers);
}

const files = async (server: Server) =>
  (await readdir(server.dataDir, { recursive: true })).filter((name) => /^(upload|vlive)\//.test(name)).sort();

async function prepared(server: Server, path = film) {
  return (await upload(server, 'film.mp4', await readFile(path))).data as { uuid: string; target: string };
}

describe('an upload in one piece', () => {
  it('becomes a source with its probe, and the library keeps it', async () => {
    const server = await createReadyApp();
    const { code, data } = await upload(server, 'Мой "film".mp4', await readFile(film));
    expect([code, data]).toEqual([0, { uuid: expect.stringMatching(uuid), target: `upload/${data.uuid}.mp4` }]);
    // As an older client does: without type and path.
    const chosen = await server.call(`${api}/source`, {
      platform: 'wx',
      files: [{ name: 'x', uuid: data.uuid, target: data.target, size: 1 }],
    });
    const [source] = chosen.data.files;
    expect(source).toMatchObject({
      ...{
        uuid: data.uuid,
        type: 'upload',
        name: 'Мой "film".mp4',
        target: `vlive/${data.uuid}.mp4`,
        size: (await stat(film)).size,
      },
      format: { duration: expect.stringMatching(/^2\./), has_video: true, has_audio: true },
      ...{ video: { codec_name: 'h264', width: 320, height: 180 }, audio: { codec_name: 'aac', channels: 2 } },
    });
    expect(await files(server)).toEqual([`vlive/${data.uuid}.mp4`]);
    // A slot was made, which is off.
    const { wx } = (await server.call(`${api}/secret`)).data;
    expect(wx).toMatchObject({ enabled: false, server: '', files: [{ uuid: data.uuid }] });
    const library = (await server.call(`${api}/library/query`)).data;
    expect(library).toMatchObject([{ source: { uuid: data.uuid }, usedBy: ['vlive/wx'] }]);
    // The same again, as another slot would: nothing is moved twice, nothing is lost.
    await server.call(`${api}/source`, { platform: 'bilibili', files: [{ uuid: data.uuid }] });
    expect(await files(server)).toEqual([`vlive/${data.uuid}.mp4`]);
    expect((await server.call(`${api}/library/remove`, { uuid: data.uuid })).data.message).toContain(
      'vlive/bilibili, vlive/wx',
    );
    await server.call(`${api}/secret`, { action: 'remove', platform: 'wx' });
    await server.call(`${api}/secret`, { action: 'remove', platform: 'bilibili' });
    expect((await server.call(`${api}/library/remove`, { uuid: data.uuid })).code).toBe(0);
    expect(await files(server)).toEqual([]);
  });

  it.each([
    ['without a credential', 'a.mp4', 'a.mp4', { authorization: '' }, 401],
    ['as another content', 'a.mp4', 'a.mp4', { 'content-type': 'application/json' }, 422],
    ['under another name', 'a.mp4', 'b.mp4', {}, 422],
    ['with an ending that is none of films', 'a.sh', 'a.sh', {}, 422],
    ['with a path for a name', '../a.mp4', '../a.mp4', {}, 422],
    ['with a line end in its name', 'a\n.mp4', 'a\n.mp4', {}, 422],
  ])('is refused %s, and nothing of it is left', async (_how, path, name, headers, status) => {
    const server = await createReadyApp();
    const { payload, headers: usual } = form(name, Buffer.alloc(1000));
    const answer = await send(server, `upload/${encodeURIComponent(path)}`, payload, { ...usual, ...headers });
    expect(answer.status).toBe(status);
    expect(await files(server)).toEqual([]);
  });

  it('that is larger than the limit, empty or cut off leaves nothing', async () => {
    const server = await createReadyApp({ env: { WEIR_UPLOAD_LIMIT: '1' } });
    expect((await upload(server, 'a.mp4', Buffer.alloc(0))).data.message).toContain('empty');
    const { payload, headers } = form('a.mp4', Buffer.alloc(1000));
    expect((await send(server, 'upload/a.mp4', payload.subarray(0, -6), headers)).data.message).toContain(
      'ended too early',
    );
    expect((await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 1_000_000_001 })).status).toBe(413);
    expect((await server.call(`${api}/uploads/begin`, { name: 'a.exe', size: 1 })).status).toBe(422);
    // Told by its head, before a byte of it is read.
    const announced = { ...headers, 'content-length': '2000000000' };
    expect((await send(server, 'upload/a.mp4', payload, announced)).status).toBe(413);
    expect(await files(server)).toEqual([]);
  });

  it('that does not fit on the disk is refused before it begins', async () => {
    const server = await createReadyApp({ env: { WEIR_UPLOAD_LIMIT: '100000' } });
    const answer = await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 99_999_000_000_000 });
    expect([answer.status, answer.data.message]).toEqual([503, expect.stringContaining('the disk is too full')]);
    const { payload, headers } = form('a.mp4', Buffer.alloc(1000));
    expect(
      (await send(server, 'upload/a.mp4', payload, { ...headers, 'content-length': '99999000000000' })).status,
    ).toBe(503);
    expect(await files(server)).toEqual([]);
  });
});

describe('an upload in pieces', () => {
  it('goes on where it broke off, in any order of mishaps', async () => {
    const server = await createReadyApp();
    const content = await readFile(film);
    const begun = (await server.call(`${api}/uploads/begin`, { name: 'film.mp4', size: content.length })).data;
    const append = (offset: number, bytes: Buffer) => send(server, `uploads/append/${begun.uuid}/${offset}`, bytes);
    expect(begun).toMatchObject({ offset: 0, size: content.length });
    expect((await append(0, content.subarray(0, 1000))).data.offset).toBe(1000);
    // Sent again because the answer was lost, or with a hole: refused with where it stands.
    expect((await append(0, content.subarray(0, 1000))).data.message).toBe('offset: 1000 bytes have arrived');
    expect((await append(2000, content.subarray(2000))).data.message).toContain('1000 bytes');
    expect((await server.call(`${api}/uploads/finish`, { uuid: begun.uuid })).data.message).toContain('not whole');
    expect((await server.call(`${api}/uploads/query`)).data).toMatchObject([
      { uuid: begun.uuid, offset: 1000, name: 'film.mp4' },
    ]);
    expect((await append(1000, Buffer.concat([content.subarray(1000), Buffer.from('more')]))).data.message).toContain(
      'more bytes came',
    );
    const { offset } = (await server.call(`${api}/uploads/query`)).data[0];
    if (offset < content.length) await append(offset, content.subarray(offset));
    const done = (await server.call(`${api}/uploads/finish`, { uuid: begun.uuid })).data;
    expect(done).toEqual({
      uuid: begun.uuid,
      name: 'film.mp4',
      size: content.length,
      target: `upload/${begun.uuid}.mp4`,
    });
    expect(await readFile(join(server.dataDir, done.target))).toEqual(content);
    expect((await server.call(`${api}/uploads/query`)).data).toEqual([]);
  });

  it('can be cancelled, and one that is unknown is refused', async () => {
    const server = await createReadyApp();
    const { uuid: id } = (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 })).data;
    await send(server, `uploads/append/${id}/0`, Buffer.alloc(4));
    expect((await server.call(`${api}/uploads/cancel`, { uuid: id })).code).toBe(0);
    expect(await files(server)).toEqual([]);
    for (const [path, body] of [
      [`uploads/append/${id}/4`, Buffer.alloc(1)],
      ['uploads/append/..%2f..%2fx/0', Buffer.alloc(1)],
    ] as const) {
      expect((await send(server, path, body)).status).toBe(404);
    }
    expect((await send(server, `uploads/append/${id}/-1`, Buffer.alloc(1))).status).toBe(422);
    expect((await send(server, `uploads/append/${id}/0`, Buffer.alloc(1), {})).status).toBe(401);
  });

  it('are only so many at a time', async () => {
    const server = await createReadyApp();
    const begin = () => server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 });
    for (let count = 0; count < 50; count++) expect((await begin()).code).toBe(0);
    expect((await begin()).data.message).toContain('too many unfinished');
  });
});

describe('a file of the server', () => {
  it('is taken by a second name, and stays when the first is removed', async () => {
    const server = await createReadyApp();
    await mkdir(join(server.dataDir, 'upload'), { recursive: true });
    await copyFile(film, join(server.dataDir, 'upload/mine.MP4'));
    for (const file of ['upload/mine.MP4', './upload/mine.MP4', '/data/upload/mine.MP4']) {
      const { data } = await server.call(`${api}/server`, { file });
      expect(data).toEqual({
        name: 'mine.MP4',
        uuid: expect.stringMatching(uuid),
        size: (await stat(film)).size,
        target: `upload/${data.uuid}.mp4`,
      });
      expect((await stat(join(server.dataDir, data.target))).ino).toBe(
        (await stat(join(server.dataDir, 'upload/mine.MP4'))).ino,
      );
    }
  });

  it.each([
    ['', 'file is required', undefined],
    ['/etc/passwd', 'invalid file, should in /data', 'place'],
    ['/data-other/a.mp4', 'invalid file, should in /data', 'place'],
    ['/data/weir.db', 'invalid file extension, should be .mp4 .flv .ts .m4a .mp3 .aac', 'extension'],
    ['/data/../a.mp4', 'must be below', 'place'],
    ['upload/../../a.mp4', 'must be below', 'place'],
    ['/data/%2e%2e/a.mp4', 'is not a path', 'place'],
    ['upload/nothing.mp4', 'is not there', 'file-missing'],
    ['upload/outside.mp4', 'must be below', 'place'],
    ['upload/renamed.mp4', 'invalid file extension', 'extension'],
    ['upload/folder.mp4', 'not a plain file', 'file-kind'],
  ])('%j is refused: %s', async (file, message, kind) => {
    const server = await createReadyApp();
    await mkdir(join(server.dataDir, 'upload/folder.mp4'), { recursive: true });
    await symlink(film, join(server.dataDir, 'upload/outside.mp4'));
    await writeFile(join(server.dataDir, 'settings.db'), 'secret');
    await symlink(join(server.dataDir, 'settings.db'), join(server.dataDir, 'upload/renamed.mp4'));
    const before = await files(server);
    const { data } = await server.call(`${api}/server`, { file });
    expect(data.message).toContain(message);
    expect(data.why?.kind).toBe(kind);
    expect(await files(server)).toEqual(before);
  });
});

describe('choosing sources', () => {
  it('believes nothing but the id, and deletes nothing of others', async () => {
    const server = await createReadyApp();
    const stranger = join(server.dataDir, 'precious.mp4');
    await link(film, stranger).catch(() => copyFile(film, stranger));
    const choose = (entry: object) => server.call(`${api}/source`, { platform: 'wx', files: [entry] });
    for (const entry of [
      { target: stranger, type: 'file' },
      { target: stranger, type: 'upload', uuid: '../precious' },
      { target: '/etc/passwd', type: 'file', uuid: 'b6a1c0de-0000-4000-8000-000000000000' },
    ]) {
      expect((await choose(entry)).data.message).toContain('not a source of this server');
    }
    expect(existsSync(stranger)).toBe(true);
    const { uuid: id } = await prepared(server);
    const chosen = await choose({ uuid: id, target: '/etc/passwd', type: 'stream', name: 'other', size: 5 });
    expect(chosen.data.files[0]).toMatchObject({
      uuid: id,
      type: 'upload',
      name: 'film.mp4',
      target: `vlive/${id}.mp4`,
    });
    // Saving looks ids up as well.
    const save = (list: object[]) =>
      server.call(`${api}/secret`, {
        action: 'update',
        platform: 'wx',
        server: 'rtmp://127.0.0.1:9/live',
        files: list,
      });
    expect((await save([{ uuid: 'b6a1c0de-0000-4000-8000-000000000000', target: '/etc/passwd' }])).status).toBe(422);
    expect((await save([])).data.message).toBe('no files');
    expect((await save([{ uuid: id, target: '/etc/passwd' }])).code).toBe(0);
    expect((await server.call(`${api}/secret`)).data.wx.files[0].target).toBe(`vlive/${id}.mp4`);
  });

  it.each([
    [{ platform: 'wx', files: [] }, 'no files'],
    [{ platform: '', files: [{ uuid: 'x' }] }, 'no platform'],
    [{ platform: 'forwarding-4-a1b2c3', files: [{ uuid: 'x' }] }, 'invalid platform'],
  ])('refuses %j: %s', async (body, message) => {
    const server = await createReadyApp();
    expect((await server.call(`${api}/source`, body)).data.message).toContain(message);
  });

  it('may be asked twice at once about the same source', async () => {
    const server = await createReadyApp();
    const entry = { uuid: (await prepared(server)).uuid };
    const choose = (platform: string) => server.call(`${api}/source`, { platform, files: [entry] });
    const answers = await Promise.all([choose('wx'), choose('bilibili')]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(await files(server)).toEqual([`vlive/${entry.uuid}.mp4`]);
  });

  it('looks at all before it takes one: a film that is none, one too fast, one unlike the others', async () => {
    const server = await createReadyApp();
    const choose = (ids: string[]) =>
      server.call(`${api}/source`, { platform: 'wx', files: ids.map((id) => ({ uuid: id })) });
    const good = (await prepared(server)).uuid;
    // S15, S17: a playlist and a page under the name of a film.
    const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n';
    for (const content of [
      playlist,
      'ffconcat version 1.0\nfile /etc/passwd\n',
      '<html></html>',
      'x'.repeat(100_000),
    ]) {
      const bad = (await upload(server, 'bad.mp4', Buffer.from(content))).data.uuid;
      const answer = await choose([good, bad]);
      expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining('cannot be read')]);
      expect(answer.data.message).not.toContain(server.dataDir);
    }
    expect(await files(server)).toContain(`upload/${good}.mp4`);
    const second = (await prepared(server, other)).uuid;
    const third = (await prepared(server, wide)).uuid;
    expect((await choose([good, third])).data).toMatchObject({
      message: expect.stringContaining('must be alike'),
      why: { kind: 'not-alike' },
    });
    expect((await choose([good, second, good])).data.files.map(({ uuid: id }: { uuid: string }) => id)).toEqual([
      good,
      second,
      good,
    ]);
    await server.call('mgmt/limits/update', { vlive: 10 });
    expect((await choose([good])).data.message).toMatch(/bitrate \d+Kbps is too large, exceed 10Kbps/);
  });
});

describe('what nobody uses', () => {
  it('is removed after two hours: never what a slot refers to, nor what was accepted, nor what is not ours', async () => {
    const server = await createReadyApp();
    const kept = (await prepared(server)).uuid;
    await server.call(`${api}/source`, { platform: 'wx', files: [{ uuid: kept }] });
    const stale = (await prepared(server)).uuid;
    const { uuid: broken } = (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 })).data;
    await server.call(`${api}/stream-url`, { url: 'rtmp://127.0.0.1/live/x' });
    const mine = join(server.dataDir, 'upload', 'b6a1c0de-0000-4000-8000-000000000000.mp4');
    await writeFile(mine, 'mine');
    await utimes(mine, 1, 1);
    // As the server does at its start: over the same store and folders.
    const { dataDir, store } = server;
    const clock = new FakeClock(Date.now());
    const proxy = new OutgoingProxy();
    const log = createLog('test', 'error');
    const media = new OutgoingMedia({ proxy, relay: new OutgoingRelay(), names: new OwnNames(store, clock) });
    const sources = new Sources({ store, dataDir, proxy, media, log, clock, largestBytes: 1e9, downloadProxy: '' });
    clock.pass(3600_000);
    expect(await sources.sweep()).toBe(0);
    expect(await files(server)).toContain(`upload/${stale}.mp4`);
    const { uuid: held } = (await server.call(`${api}/stream-url`, { url: 'rtmp://127.0.0.1/live/held' })).data;
    sources.addHolder(async () => [{ slot: 'vlive/wx', uuids: [kept, held] }]);
    clock.pass(3600_000 + 1000);
    expect(await sources.sweep()).toBe(3);
    expect(await files(server)).toEqual(['upload/b6a1c0de-0000-4000-8000-000000000000.mp4', `vlive/${kept}.mp4`]);
    expect((await server.call(`${api}/uploads/finish`, { uuid: broken })).status).toBe(404);
  });
});

describe('a stream of elsewhere', () => {
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

  it('is taken by its address under both names of the call', async () => {
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
  ])('%s that cannot be read says by name why: %s', async (url, kind) => {
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
      expect((await choose(path)).data.message).toMatch(/leads elsewhere: .*(private network|link-local)/);
    }
    expect(inner.asked).toEqual([]);
  });
});

describe('a video of a page', () => {
  it('is downloaded in the background, with progress, and becomes a source', async () => {
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
    // Whoever asks for the same joins; the older call waits.
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

  it('can be cancelled, and nothing of it is left', async () => {
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
    '%j is refused',
    async (url) => {
      const server = await createReadyApp();
      expect((await server.call(`${api}/ytdl`, { url })).status).toBe(422);
    },
  );
});
