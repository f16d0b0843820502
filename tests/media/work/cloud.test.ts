import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Recording } from '@weir/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { S3Server } from '../../s3.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { clipInput, makeClip, makeHeavyClip, Recordings } from '../fixtures/record.fixture.ts';

const run = promisify(execFile);
const api = '/terraform/v1/hooks/record/bucket';
const MB = 1e6;

let live: Live;
let s3: S3Server;
let recordings: Recordings;
let publishers: Publisher[] = [];
beforeAll(async () => {
  [live, s3] = await Promise.all([Live.start(), S3Server.prepare()]);
  recordings = new Recordings(live);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await recordings.start();
});
afterAll(() => Promise.all([live.close(), s3.close()]));
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});

async function record(name: string, clip: string, seconds: number): Promise<string> {
  const publisher = new Publisher(live.publishUrl(name), clipInput(clip));
  publishers.push(publisher);
  await until(() => publisher.hasEnded, 'all is published');
  const recording = await recordings.wait(name, ({ duration }) => duration > seconds - 0.5, 'all of it is recorded');
  return (await recordings.finish(recording)).uuid;
}

/** Undefined while the control plane is away. */
async function rowOf(uuid: string): Promise<Recording | undefined> {
  const answer = await live.post('/terraform/v1/hooks/record/files').catch(() => undefined);
  const rows = answer?.code === 0 ? (answer.data as Recording[]) : [];
  return rows.find((row) => row.uuid === uuid);
}

it('recordings wait for a bucket that is away, and arrive whole, the large one across a kill -9 during its upload', async () => {
  // The bucket is away from the beginning: nothing listens at its address.
  await live.post(`${api}/apply`, { ...s3.bucket, prefix: 'weir', enabled: true });
  const [small, large] = [makeClip(3), makeHeavyClip(4, 48)];
  const first = await record('small', small, 3);
  const second = await record('large', large, 4);
  await until(async () => (await rowOf(second))?.upload?.failure === 'no-connection', 'the reason is told');
  expect((await rowOf(first))?.upload).toMatchObject({ state: 'waiting', failure: 'no-connection' });
  expect((await live.post(`${api}/query`)).data.backlog).toMatchObject({ files: 2, lost: 0 });

  // Slow enough that a part is on its way when the control plane is killed.
  await s3.start({ partDelayMs: 1500 });
  await live.post(`${api}/retry`);
  await until(async () => ((await rowOf(second))?.upload?.percent ?? 0) > 0, 'a part of it is there');
  process.kill(live.weir.pidOf('server'), 'SIGKILL');
  for (const uuid of [first, second]) {
    await until(async () => (await rowOf(uuid))?.upload?.state === 'done', 'it is in the bucket');
  }

  for (const uuid of [first, second]) {
    const row = await rowOf(uuid);
    const key = row?.upload?.key ?? '';
    expect(key).toMatch(new RegExp(`^weir/live/(small|large)/[\\d-]{19}-${uuid}\\.mp4$`));
    const local = readFileSync(join(live.weir.dataDir, 'record', uuid, 'index.mp4'));
    expect(s3.read(key).equals(local)).toBe(true);
    const { stderr } = await run('ffprobe', ['-v', 'error', s3.path(key)]);
    expect(stderr).toBe('');
  }
  const bytes = (await rowOf(second))?.mp4Bytes ?? 0;
  expect(bytes).toBeGreaterThan(17 * MB);
  // Parts finished before the kill are not sent again; the part in progress may be.
  const parts = s3.requests.filter((request) => request.includes('partNumber='));
  expect(parts.length).toBeLessThanOrEqual(Math.ceil(bytes / (8 * 1024 * 1024)) + 1);
  expect((await live.post(`${api}/query`)).data.backlog).toMatchObject({ files: 0, failure: '' });
});
