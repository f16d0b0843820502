import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3Server } from '../../../../../../tests/s3.fixture.ts';
import { until } from '../../../../../../tests/weir.fixture.ts';
import { createReadyApp } from '../../../app.ready.fixture.ts';
import { RecordingRow } from '../library/recording-repository.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(() => s3.close());

const path = 'hooks/record/bucket';
const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A server with a recording whose mp4 is made, and that is about to be done. */
async function withRecording() {
  const server = await createReadyApp();
  const finish = async (content = 'the whole show') => {
    const directory = join(server.dataDir, 'record', uuid);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'index.mp4'), content);
    writeFileSync(join(directory, 'segments.log'), '');
    const facts = { vhost: '__defaultVhost__', app: 'live', stream: 'my show', segments: 1, mp4Bytes: content.length };
    const times = { startedAtMs: Date.parse('2026-03-01T08:00:00Z'), endedAtMs: 2, updatedAtMs: 2 };
    await server.store
      .collection('recordings', RecordingRow)
      .put(uuid, RecordingRow.parse({ uuid, state: 'copying', ...facts, ...times }));
    // A query of the list wakes the finisher.
    await server.call('hooks/record/storage');
  };
  const row = async () => (await server.call('hooks/record/files')).data[0];
  return { ...server, finish, row };
}

describe('the bucket of recordings', () => {
  it('is saved, and its secret is never returned', async () => {
    const { call } = await createReadyApp();
    expect((await call(`${path}/query`)).data).toMatchObject({ enabled: false, keepLocal: true, endpoint: '' });
    expect((await call(`${path}/apply`, { enabled: true })).code).toBe(1004);
    const secretAccessKey = '0123456789abcdefghij';
    const bucket = { ...s3.bucket, accessKeyId: 'AKEY', secretAccessKey, enabled: true, keepLocal: false };
    expect((await call(`${path}/apply`, bucket)).code).toBe(0);
    const { data } = await call(`${path}/query`);
    expect(data).toMatchObject({
      enabled: true,
      keepLocal: false,
      bucket: 'recordings',
      secretAccessKey: '••••••••ghij',
    });
    expect((await call(`${path}/apply`, { ...bucket, secretAccessKey: '••••••••ghij', prefix: 'shows' })).code).toBe(0);
    const other = await call(`${path}/apply`, { ...bucket, secretAccessKey: '••••••••ghij', accessKeyId: 'OTHER' });
    expect(other.data.message).toContain('complete secret key');
  });

  it.each([
    [{}, ''],
    [{ secretAccessKey: 'wrong' }, 'wrong-key'],
    [{ bucket: 'elsewhere' }, 'no-bucket'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'no-connection'],
    [{ endpoint: 'http://169.254.169.254' }, 'bad-address'],
    [{ endpoint: 'http://[::ffff:a9fe:a9fe]' }, 'bad-address'],
  ])('is tested with %j', async (change, failure) => {
    const { call } = await createReadyApp();
    const { data } = await call(`${path}/test`, { ...s3.bucket, prefix: 'a/b', ...change });
    expect(data).toMatchObject({ failure, step: failure === '' ? '' : 'write' });
    expect(s3.keys().filter((key) => key.includes('weir-test'))).toEqual([]);
  });

  it.each([
    { endpoint: 'ftp://host' },
    { endpoint: 'http://user:pass@host' },
    { endpoint: 'http://host/?x=1' },
    { prefix: 'a/../b' },
    { bucket: 'a/b' },
    { region: 'a b' },
  ])('refuses %j', async (change) => {
    const { call } = await createReadyApp();
    expect((await call(`${path}/apply`, { ...s3.bucket, enabled: true, ...change })).code).toBe(1004);
  });
});

describe('a finished recording', () => {
  it('is uploaded into the bucket and kept here, with its state in its row', async () => {
    const { call, finish, row } = await withRecording();
    await call(`${path}/apply`, { ...s3.bucket, prefix: 'shows/', enabled: true });
    await finish();
    await until(async () => (await row())?.upload?.state === 'done', 'uploaded');
    const key = `shows/live/my_show/2026-03-01-08-00-00-${uuid}.mp4`;
    expect((await row()).upload).toMatchObject({ key, bucket: 'recordings', bytes: 14, percent: 100 });
    expect(s3.read(key).toString()).toBe('the whole show');
    expect((await row()).state).toBe('done');
  });

  it('is deleted here once the bucket has it, where that was chosen', async () => {
    const { call, finish } = await withRecording();
    await call(`${path}/apply`, { ...s3.bucket, prefix: 'gone', enabled: true, keepLocal: false });
    await finish();
    await until(async () => (await call('hooks/record/files')).data.length === 0, 'deleted here');
    expect(s3.keys().some((key) => key.startsWith('gone/live/'))).toBe(true);
    await until(async () => (await call(`${path}/query`)).data.backlog.files === 0, 'nothing waits');
  });

  it('waits while the bucket is away, is not deleted to make room, and is released when uploads are switched off', async () => {
    const { call, finish, row } = await withRecording();
    const bucket = { ...s3.bucket, endpoint: 'http://127.0.0.1:1', enabled: true };
    await call(`${path}/apply`, bucket);
    await finish();
    await until(async () => (await row())?.upload?.failure === 'no-connection', 'the reason is in the row');
    expect((await call(`${path}/query`)).data.backlog).toMatchObject({ files: 1, failure: 'no-connection' });
    await call('hooks/record/storage', { keepBytes: 1, atLimit: 'delete-oldest' });
    expect(await row()).toMatchObject({ state: 'done' });
    await call(`${path}/apply`, { ...bucket, enabled: false });
    expect((await call(`${path}/query`)).data.backlog.files).toBe(0);
  });
});
