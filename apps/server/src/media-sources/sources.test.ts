import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, link, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReadyApp } from '../app.ready.fixture.ts';
import { FakeClock } from '../core/clock.fixture.ts';
import { OutgoingMedia } from '../core/outgoing/media/outgoing-media.ts';
import { OutgoingProxy } from '../core/outgoing/media/outgoing-proxy.ts';
import { OutgoingRelay } from '../core/outgoing/media/outgoing-relay.ts';
import { OwnNames } from '../core/outgoing/own-names.ts';
import { makeFilm } from './media.fixture.ts';
import { api, files, prepared, upload } from './sources.fixture.ts';
import { Sources } from './sources.ts';

let film: string;
let other: string;
let wide: string;
beforeAll(async () => {
  film = await makeFilm({ name: 'film.mp4' });
  other = await makeFilm({ name: 'other.mp4', tone: 880 });
  wide = await makeFilm({ name: 'wide.mp4', size: '640x180' });
});

describe('choosing sources', () => {
  it('trusts only the id, and deletes no foreign files', async () => {
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
    const { uuid: id } = await prepared(server, film);
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

  it('accepts two requests at once about the same source', async () => {
    const server = await createReadyApp();
    const entry = { uuid: (await prepared(server, film)).uuid };
    const choose = (platform: string) => server.call(`${api}/source`, { platform, files: [entry] });
    const answers = await Promise.all([choose('wx'), choose('bilibili')]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(await files(server)).toEqual([`vlive/${entry.uuid}.mp4`]);
  });

  it('accepts no source if one is invalid: no video, too high a rate, or another format', async () => {
    const server = await createReadyApp();
    const choose = (ids: string[]) =>
      server.call(`${api}/source`, { platform: 'wx', files: ids.map((id) => ({ uuid: id })) });
    const good = (await prepared(server, film)).uuid;
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
    // S17: random bytes, among which ffprobe finds some that could begin a frame of AAC.
    const noise = (await upload(server, 'noise.aac', randomBytes(1_000_000))).data.uuid;
    expect((await choose([noise])).data.message).toContain('cannot be read');
    expect(await files(server)).toContain(`upload/${good}.mp4`);
    const second = (await prepared(server, other)).uuid;
    const third = (await prepared(server, wide)).uuid;
    expect((await choose([good, third])).data).toMatchObject({
      message: expect.stringContaining('must have the same format'),
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

describe('an unused source', () => {
  it('is removed after two hours, unless a slot refers to it, it was accepted, or it is not ours', async () => {
    const server = await createReadyApp();
    const kept = (await prepared(server, film)).uuid;
    await server.call(`${api}/source`, { platform: 'wx', files: [{ uuid: kept }] });
    const stale = (await prepared(server, film)).uuid;
    const { uuid: broken } = (await server.call(`${api}/uploads/begin`, { name: 'a.mp4', size: 10 })).data;
    await server.call(`${api}/stream-url`, { url: 'rtmp://127.0.0.1/live/x' });
    const mine = join(server.dataDir, 'upload', 'b6a1c0de-0000-4000-8000-000000000000.mp4');
    await writeFile(mine, 'mine');
    await utimes(mine, 1, 1);
    // Simulates a start over the same store and folders.
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
    sources.registerHolder(async () => [{ slot: 'vlive/wx', uuids: [kept, held] }]);
    clock.pass(3600_000 + 1000);
    expect(await sources.sweep()).toBe(3);
    expect(await files(server)).toEqual(['upload/b6a1c0de-0000-4000-8000-000000000000.mp4', `vlive/${kept}.mp4`]);
    expect((await server.call(`${api}/uploads/finish`, { uuid: broken })).status).toBe(404);
  });
});
