import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { makeFilm } from '../media.fixture.ts';
import { api, files, form, send, upload, uuid } from '../sources.fixture.ts';

let film: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
});

describe('an upload in one piece', () => {
  it('becomes a source with its probe, and stays in the library', async () => {
    const server = await createReadyApp();
    const { code, data } = await upload(server, 'Мой "film".mp4', await readFile(film));
    expect([code, data]).toEqual([0, { uuid: expect.stringMatching(uuid), target: `upload/${data.uuid}.mp4` }]);
    // Older client: without type and path.
    const chosen = await server.call(`${api}/source`, {
      platform: 'wx',
      files: [{ name: 'x', uuid: data.uuid, target: data.target, size: 1 }],
    });
    const [source] = chosen.data.files;
    expect(source).toMatchObject({
      uuid: data.uuid,
      type: 'upload',
      name: 'Мой "film".mp4',
      target: `vlive/${data.uuid}.mp4`,
      size: (await stat(film)).size,
      format: { duration: expect.stringMatching(/^2\./), has_video: true, has_audio: true },
      video: { codec_name: 'h264', width: 320, height: 180 },
      audio: { codec_name: 'aac', channels: 2 },
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
  ])('is refused %s, and leaves nothing behind', async (_how, path, name, headers, status) => {
    const server = await createReadyApp();
    const { payload, headers: usual } = form(name, Buffer.alloc(1000));
    const answer = await send(server, `upload/${encodeURIComponent(path)}`, payload, { ...usual, ...headers });
    expect(answer.status).toBe(status);
    expect(await files(server)).toEqual([]);
  });

  it('that is larger than the limit, empty or cut off leaves nothing behind', async () => {
    const server = await createReadyApp({ env: { WEIR_UPLOAD_LIMIT: '1' } });
    expect((await upload(server, 'a.mp4', Buffer.alloc(0))).data.message).toContain('empty');
    const { payload, headers } = form('a.mp4', Buffer.alloc(1000));
    expect((await send(server, 'upload/a.mp4', payload.subarray(0, -6), headers)).data.message).toContain(
      'body is incomplete',
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
    expect([answer.status, answer.data.message]).toEqual([503, expect.stringContaining('not enough disk space')]);
    const { payload, headers } = form('a.mp4', Buffer.alloc(1000));
    expect(
      (await send(server, 'upload/a.mp4', payload, { ...headers, 'content-length': '99999000000000' })).status,
    ).toBe(503);
    expect(await files(server)).toEqual([]);
  });
});

describe('an upload in pieces', () => {
  it('continues an upload where it broke off, in any order of failures', async () => {
    const server = await createReadyApp();
    const content = await readFile(film);
    const begun = (await server.call(`${api}/uploads/begin`, { name: 'film.mp4', size: content.length })).data;
    const append = (offset: number, bytes: Buffer) => send(server, `uploads/append/${begun.uuid}/${offset}`, bytes);
    expect(begun).toMatchObject({ offset: 0, size: content.length });
    expect((await append(0, content.subarray(0, 1000))).data.offset).toBe(1000);
    // Sent again because the answer was lost, or with a hole: refused with where it stands.
    expect((await append(0, content.subarray(0, 1000))).data.message).toBe('offset: 1000 bytes received');
    expect((await append(2000, content.subarray(2000))).data.message).toContain('1000 bytes');
    expect((await server.call(`${api}/uploads/finish`, { uuid: begun.uuid })).data.message).toContain('incomplete');
    expect((await server.call(`${api}/uploads/query`)).data).toMatchObject([
      { uuid: begun.uuid, offset: 1000, name: 'film.mp4' },
    ]);
    expect((await append(1000, Buffer.concat([content.subarray(1000), Buffer.from('more')]))).data.message).toContain(
      'larger than announced',
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

  it('can be cancelled, and an unknown one is refused', async () => {
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

  it('refuses invalid offsets, lengths and names', async () => {
    const server = await createReadyApp();
    const begin = (name: unknown, size: unknown) => server.call(`${api}/uploads/begin`, { name, size });
    const names = [
      '../a.mp4',
      '..\\a.mp4',
      '/etc/a.mp4',
      'a\0.mp4',
      'a.mp4\0.txt',
      'a\r\n.mp4',
      '.mp4/',
      '',
      7,
      'a'.repeat(300),
    ];
    for (const name of names) expect([name, (await begin(name, 10)).status]).toEqual([name, 422]);
    for (const size of [-1, 0.5, 1e300, '10', null, 2 ** 53])
      expect([size, (await begin('a.mp4', size)).code]).not.toEqual([size, 0]);
    const { uuid: id } = (await begin('\u202e4pm.a 🎬.mp4', 10)).data;
    for (const offset of ['1e0', '0x0', '+0', '%200', '0.0', '9007199254740993', '1'.repeat(400), 'NaN', '-0'])
      expect([offset, (await send(server, `uploads/append/${id}/${offset}`, Buffer.alloc(4))).code]).not.toEqual([
        offset,
        0,
      ]);
    expect((await send(server, `uploads/append/${id}/0`, Buffer.alloc(11))).status).toBe(422);
    expect((await files(server)).filter((file) => !file.includes(id))).toEqual([]);
  });

  it('is limited in number', async () => {
    const server = await createReadyApp();
    const begin = () => server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 });
    for (let count = 0; count < 50; count++) expect((await begin()).code).toBe(0);
    expect((await begin()).data.message).toContain('too many unfinished');
  });

  it('is limited in number also when all begin at once', async () => {
    const server = await createReadyApp();
    const begun = await Promise.all(
      Array.from({ length: 60 }, () => server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 })),
    );
    expect(begun.filter(({ code }) => code === 0)).toHaveLength(50);
  });

  it('F07: is finished after the server was killed between moving the file and noting it', async () => {
    const server = await createReadyApp();
    const { uuid: id } = (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 4 })).data;
    await send(server, `uploads/append/${id}/0`, Buffer.from('film'));
    const folder = join(server.dataDir, 'upload');
    await rename(join(folder, `${id}.part`), join(folder, `${id}.mp4`));
    expect((await server.call(`${api}/uploads/query`)).data).toMatchObject([{ uuid: id, offset: 4 }]);
    expect((await server.call(`${api}/uploads/finish`, { uuid: id })).data).toMatchObject({ uuid: id, size: 4 });
    expect(await readFile(join(folder, `${id}.mp4`), 'latin1')).toBe('film');
  });

  it('has one writer, however many send the same piece at once', async () => {
    const server = await createReadyApp();
    const size = 300_000;
    const { uuid: id } = (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size })).data;
    const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
    // A sender whose place was taken has its connection closed.
    const sent = await Promise.allSettled(
      letters.map((letter) => send(server, `uploads/append/${id}/0`, Buffer.alloc(size, letter))),
    );
    const taken = sent.filter((answer) => answer.status === 'fulfilled' && answer.value.code === 0);
    expect(taken.length).toBeLessThanOrEqual(1);
    const { offset } = (await server.call(`${api}/uploads/query`)).data[0];
    const [part = ''] = await files(server);
    const content = await readFile(join(server.dataDir, part), 'latin1');
    expect(content).toHaveLength(offset);
    expect(new Set(content).size).toBeLessThanOrEqual(1);
  });

  it('is finished with the same answer however often, and leaves nothing behind when it is cancelled during a piece', async () => {
    const server = await createReadyApp();
    const begin = async () => (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 4 })).data.uuid;
    const whole = await begin();
    await send(server, `uploads/append/${whole}/0`, Buffer.from('film'));
    const finish = () => server.call(`${api}/uploads/finish`, { uuid: whole });
    const finished = await Promise.all([finish(), finish(), finish()]);
    expect(finished.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(finished.map(({ data }) => data.target))).toEqual(new Set([`upload/${whole}.mp4`]));
    const left = await begin();
    const [, cancelled] = await Promise.all([
      send(server, `uploads/append/${left}/0`, Buffer.from('film')).catch(() => undefined),
      server.call(`${api}/uploads/cancel`, { uuid: left }),
    ]);
    expect(cancelled.code).toBe(0);
    expect(await files(server)).toEqual([`upload/${whole}.mp4`]);
  });
});
