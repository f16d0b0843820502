import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { S3Server } from '../../../../tests/s3.fixture.ts';
import { until } from '../../../../tests/weir.fixture.ts';
import { systemClock } from '../core/clock.ts';
import { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../core/store/memory-store.ts';
import { type Bucket, S3Client } from './s3-client.ts';
import { UploadJob } from './upload-job.ts';
import { UploadQueue } from './upload-queue.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(() => s3.close());

const log = createLog('test', 'error');
log.level = 'silent';
const MiB = 1024 * 1024;

function bucketOf(change: Partial<Bucket> = {}): Bucket {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3.bucket;
  const credential = { accessKeyId, secretAccessKey };
  return { endpoint, region, name: bucket, isPathStyle: true, credential, ownNetwork: 'typed', ...change };
}

/** Queue with a store and a directory that tests can reuse after a restart. */
function queueIn(
  home = { store: new MemoryStore(), directory: mkdtempSync(join(tmpdir(), 'weir-queue-')) },
  limits?: { spoolBytes: number; spoolFiles: number },
) {
  onTestFinished(() => rmSync(home.directory, { recursive: true, force: true }));
  const done: string[] = [];
  const gone: string[] = [];
  const needs = {
    directory: join(home.directory, 'spool'),
    store: home.store,
    outgoing: new OutgoingClient(),
    log,
    clock: systemClock,
  };
  const queue = new UploadQueue({ ...needs, ...(limits && { limits }) });
  queue.registerOwner('test', {
    placeFor: async ({ key }) => ({ bucket: bucketOf(), key }),
    uploaded: async ({ key }) => void done.push(key),
    gone: async ({ key }) => void gone.push(key),
  });
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    running = queue.run(abort.signal);
  };
  const stop = async () => {
    abort.abort();
    await running;
  };
  onTestFinished(stop);
  const add = (name: string, content: string | Buffer, lane = 'lane') => {
    const file = join(home.directory, name);
    writeFileSync(file, content);
    return queue.add({ owner: 'test', id: name, lane, key: `q/${name}`, type: 'video/mp4', source: { link: file } });
  };
  return { home, queue, done, gone, run, stop, add };
}

describe('a bucket', () => {
  const client = (change: Partial<Bucket> = {}) => new S3Client(new OutgoingClient(), bucketOf(change));

  it('stores, reports, returns and deletes an object of any name', async () => {
    const key = "a folder/ü (1)+*'!~&=.txt";
    await client().put(key, 'hello', 'text/plain');
    expect(await client().sizeOf(key)).toBe(5);
    expect(await client().read(key)).toBe('hello');
    await client().delete(key);
    expect(await client().sizeOf(key)).toBeUndefined();
  });

  it('may be named in the host', async () => {
    const bucket = bucketOf({ endpoint: `http://s3.localhost:${s3.port}`, isPathStyle: false, ownNetwork: 'allowed' });
    const byHost = new S3Client(new OutgoingClient(async () => [{ address: '127.0.0.1', family: 4 }]), bucket);
    expect(byHost.urlOf('a b').href).toBe(`http://recordings.s3.localhost:${s3.port}/a%20b`);
    await byHost.put('host.txt', 'by host', 'text/plain');
    expect(await client().read('host.txt')).toBe('by host');
  });

  it.each<[string, Partial<Bucket>, string]>([
    ['a wrong secret', { credential: { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' } }, 'wrong-key'],
    ['an unknown key', { credential: { accessKeyId: 'NOBODY', secretAccessKey: 'S3RVER' } }, 'wrong-key'],
    ['no such bucket', { name: 'elsewhere' }, 'no-bucket'],
    ['nothing there', { endpoint: 'http://127.0.0.1:1' }, 'no-connection'],
    ['an address that is never asked', { endpoint: 'http://169.254.169.254' }, 'bad-address'],
    ['another kind of address', { endpoint: 'ftp://127.0.0.1' }, 'bad-address'],
  ])('distinguishes %s, and shows no secret', async (_what, change, failure) => {
    const error = await client(change)
      .put('x', 'x', 'text/plain')
      .catch((found: unknown) => found);
    expect(error).toMatchObject({ failure });
    expect(String(error)).not.toMatch(/S3RVER|wrong secret|NOBODY/);
  });
});

describe('the upload queue', () => {
  it('uploads files in order, each once, and leaves nothing behind', async () => {
    const { add, run, queue, done, home } = queueIn();
    for (const name of ['1.ts', '2.ts', '3.ts']) expect(await add(name, name)).toBe(4);
    // A repeated request has no effect, as after a kill in between.
    const again = { owner: 'test', id: '2.ts', lane: 'lane', key: 'q/2.ts', type: 'video/mp4' };
    await queue.add({ ...again, source: { link: join(home.directory, '2.ts') } });
    expect(await queue.backlog('test')).toMatchObject({ files: 3, bytes: 12, failure: '' });
    run();
    await until(() => done.length === 3, 'all uploaded');
    expect(done).toEqual(['q/1.ts', 'q/2.ts', 'q/3.ts']);
    expect(s3.read('q/2.ts').toString()).toBe('2.ts');
    await until(async () => (await queue.backlog('test')).files === 0, 'nothing waits');
    await until(() => readdirSync(join(home.directory, 'spool')).length === 0, 'nothing is left');
  });

  it('starts once the store can be read, if it cannot at the start', async () => {
    const { add, run, done, home, stop } = queueIn();
    home.store.isBroken = true;
    run();
    await expect(add('early.ts', 'early')).rejects.toThrow();
    home.store.isBroken = false;
    await add('later.ts', 'later');
    await until(() => done.length === 1, 'uploaded');
    expect(done).toEqual(['q/later.ts']);
    await stop();
  });

  it('closes at once while the store cannot be read', async () => {
    const { run, home, stop } = queueIn();
    home.store.isBroken = true;
    run();
    await stop();
  });

  it('waits while the bucket is away, reports why, and uploads when it is back', async () => {
    const { add, run, queue, done } = queueIn();
    await s3.stop();
    run();
    for (let n = 0; n < 20; n++) await add(`away-${n}.ts`, 'x'.repeat(1000), `lane-${n % 2}`);
    await until(async () => (await queue.backlog('test')).failure !== '', 'the reason is told');
    const backlog = await queue.backlog('test');
    expect(backlog).toMatchObject({ files: 20, bytes: 20_000, failure: 'no-connection', lost: 0 });
    expect(Date.parse(backlog.nextTry)).toBeGreaterThan(Date.parse(backlog.since));
    await s3.start();
    queue.retry('test');
    await until(() => done.length === 20, 'all uploaded');
    const numbers = done.map((key) => Number(/\d+/.exec(key)?.[0]));
    for (const lane of [0, 1]) {
      const ofLane = numbers.filter((number) => number % 2 === lane);
      expect(ofLane).toEqual(ofLane.toSorted((a, b) => a - b));
    }
  });

  it('continues after a restart with unfinished uploads', async () => {
    const first = queueIn();
    await first.add('kept.ts', 'kept');
    mkdirSync(join(first.home.directory, 'spool'), { recursive: true });
    writeFileSync(join(first.home.directory, 'spool', 'test-nobody.ts'), 'of a process that was killed');
    await first.stop();
    const second = queueIn(first.home);
    second.run();
    await until(() => second.done.length === 1, 'uploaded');
    expect(s3.read('q/kept.ts').toString()).toBe('kept');
    expect(existsSync(join(first.home.directory, 'spool', 'test-nobody.ts'))).toBe(false);
  });

  it('uploads no more than the quota, and counts what it refused', async () => {
    const { add, queue } = queueIn(undefined, { spoolBytes: 250, spoolFiles: 100 });
    expect(await add('a.ts', 'x'.repeat(100))).toBe(100);
    expect(await add('b.ts', 'x'.repeat(100))).toBe(100);
    expect(await add('c.ts', 'x'.repeat(100))).toBeUndefined();
    expect(await queue.backlog('test')).toMatchObject({ files: 2, bytes: 200, lost: 1 });
  });

  it('uploads a large file in parts and continues with the next part after a restart', async () => {
    const first = queueIn();
    const content = randomBytes(20 * MiB + 17);
    await first.add('large.mp4', content);
    first.run();
    // Ends after the first part, like a killed process.
    await until(
      async () => ((await first.queue.find('test', 'large.mp4'))?.etags.length ?? 0) >= 1,
      'one part',
      30_000,
    );
    await first.stop();
    const before = s3.requests.length;
    const second = queueIn(first.home);
    const left = await second.queue.find('test', 'large.mp4');
    second.run();
    await until(() => second.done.length + first.done.length === 1, 'uploaded');
    expect(s3.read('q/large.mp4').equals(content)).toBe(true);
    // Each that was not kept before. What the first sent last may arrive after it has stopped, and is one of these.
    const parts = s3.requests.slice(before).flatMap((request) => /partNumber=(\d)/.exec(request)?.[1] ?? []);
    expect([...new Set(parts)].sort()).toEqual(['1', '2', '3'].slice(left?.etags.length ?? 3));
  });

  it('starts a large file again when the storage does not know its upload any more', async () => {
    const { add, run, done, home } = queueIn();
    const content = randomBytes(17 * MiB);
    await add('forgotten.mp4', content);
    const jobs = home.store.collection('uploads', UploadJob);
    const [entry] = await jobs.list();
    if (entry)
      await jobs.put(entry.key, { ...entry.value, uploadId: 'of-another-life', partBytes: 8 * MiB, etags: ['"x"'] });
    run();
    await until(() => done.length === 1, 'uploaded');
    expect(s3.read('q/forgotten.mp4').equals(content)).toBe(true);
  });

  it('does not repeat a large file that arrived just before a kill', async () => {
    const { add, run, done, home } = queueIn();
    const jobs = home.store.collection('uploads', UploadJob);
    const content = randomBytes(17 * MiB);
    await add('arrived.mp4', content);
    const [entry] = await jobs.list();
    if (!entry) throw new Error('nothing waits');
    // State after the last part: the bucket has completed the object, and the process was killed before noting it.
    const file = join(home.directory, 'arrived.mp4');
    const client = new S3Client(new OutgoingClient(), bucketOf());
    const uploadId = await client.beginParts('q/arrived.mp4', 'video/mp4');
    const etags: string[] = [];
    for (let from = 0; from < content.length; from += 8 * MiB) {
      const part = { file, from, to: Math.min(content.length, from + 8 * MiB) };
      etags.push(await client.putPart('q/arrived.mp4', uploadId, etags.length + 1, part));
    }
    await client.completeParts('q/arrived.mp4', uploadId, etags);
    await jobs.put(entry.key, { ...entry.value, uploadId, partBytes: 8 * MiB, etags });
    const before = s3.requests.length;
    run();
    await until(() => done.length === 1, 'noted as uploaded');
    expect(s3.read('q/arrived.mp4').equals(content)).toBe(true);
    expect(s3.requests.slice(before).filter((request) => /partNumber=|uploads=/.test(request))).toEqual([]);
  });

  it('starts a large file again when the storage lost parts, and leaves no parts to be paid for', async () => {
    const { add, run, done, home } = queueIn();
    const jobs = home.store.collection('uploads', UploadJob);
    const content = randomBytes(17 * MiB);
    await add('refused.mp4', content);
    const [entry] = await jobs.list();
    if (!entry) throw new Error('nothing waits');
    const client = new S3Client(new OutgoingClient(), bucketOf());
    const uploadId = await client.beginParts('q/refused.mp4', 'video/mp4');
    const lost = ['"1"', '"2"', '"3"'];
    await jobs.put(entry.key, { ...entry.value, uploadId, partBytes: 8 * MiB, etags: lost });
    run();
    await until(() => done.length === 1, 'uploaded');
    expect(s3.read('q/refused.mp4').equals(content)).toBe(true);
    const given = `uploadId=${encodeURIComponent(uploadId)}`;
    expect(s3.requests.filter((request) => request.startsWith('DELETE') && request.includes(given))).toHaveLength(1);
  });

  it('ends the upload of a deleted file, and notifies its owner', async () => {
    const { queue, run, gone, home } = queueIn();
    const file = join(home.directory, 'in-place.mp4');
    writeFileSync(file, 'x');
    await queue.add({ owner: 'test', id: 'p', lane: 'p', key: 'p', type: 'video/mp4', source: { inPlace: file } });
    rmSync(file);
    run();
    await until(() => gone.length === 1, 'told');
    await until(async () => (await queue.backlog('test')).files === 0, 'nothing waits');
  });
});
