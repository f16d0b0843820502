import { copyFile, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReadyApp } from '../app.ready.fixture.ts';
import { makeFilm } from './media.fixture.ts';
import { api, files, uuid } from './sources.fixture.ts';

let film: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
});

describe('a file of the server as a source', () => {
  it('gets a second name, and stays when the first is removed', async () => {
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
    ['/data/%2e%2e/a.mp4', 'must be a path', 'place'],
    ['upload/nothing.mp4', 'does not exist', 'file-missing'],
    ['upload/outside.mp4', 'must be below', 'place'],
    ['upload/renamed.mp4', 'invalid file extension', 'extension'],
    ['upload/folder.mp4', 'must be a regular file', 'file-kind'],
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
