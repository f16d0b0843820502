import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { FakeClock } from '../../core/clock.fixture.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudRecorder } from './cloud-recorder.ts';
import { CloudRows } from './cloud-rows.ts';
import { CloudSwitches } from './cloud-switches.ts';

// Written before sessions were a mechanism of their own, and left by a kill -9 while the cloud was away.
const uuid = 'de709dc8-81c7-444d-9d7d-eadbb69f0a4d';
const row =
  '{"uuid":"de709dc8-81c7-444d-9d7d-eadbb69f0a4d","vhost":"__defaultVhost__","app":"live","stream":"show","state":"recording","startedAtMs":1794768484666,"updatedAtMs":1794768484719,"segments":2,"durationMs":4003,"bytes":18,"lost":1,"missing":[],"bucket":"srs-lighthouse-1f2e-1253810548","region":"ap-beijing","path":"","session":null,"fileId":"","mediaUrl":"","definition":0,"taskId":"","mp4":null}';
const job =
  '{"owner":"dvr","id":"00000000-0000-4000-8000-000000000003","lane":"de709dc8-81c7-444d-9d7d-eadbb69f0a4d","file":"HOME/uploads/dvr-00000000-0000-4000-8000-000000000003","isSpooled":true,"bytes":9,"key":"de709dc8-81c7-444d-9d7d-eadbb69f0a4d/00000000-0000-4000-8000-000000000003.ts","type":"video/MP2T","atMs":1794768484719,"tries":0,"nextTryAtMs":0,"failure":"","error":"","uploadId":"","partBytes":0,"etags":[]}';
const lines = `# {"vhost":"__defaultVhost__","app":"live","stream":"show","startedAtMs":1794768484666}
00000000-0000-4000-8000-000000000001 11 2001 9 0 1794768484699
00000000-0000-4000-8000-000000000002 12 2002 9 0 1794768484713
00000000-0000-4000-8000-000000000003 15 2003 9 1 1794768484719
`;

it('a cloud recording that an older version began continues, with its queue and its count corrected', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weir-cloud-before-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'cloud/dvr'), { recursive: true });
  mkdirSync(join(home, 'uploads'));
  writeFileSync(join(home, `cloud/dvr/${uuid}.log`), lines);
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  writeFileSync(join(home, `uploads/dvr-${idOf(3)}`), 'segment 3');
  const store = new MemoryStore();
  await store.collection('cloud', z.any()).put('switches', { dvr: true, vod: false });
  await store.collection('cloud-dvr', z.any()).put(uuid, JSON.parse(row));
  await store.collection('uploads', z.any()).put('0001794768484719', JSON.parse(job.replace('HOME', home)));

  const clock = new FakeClock(1_794_768_490_000);
  const log = createLog('test', 'error');
  const queue = new UploadQueue({
    directory: join(home, 'uploads'),
    store,
    outgoing: new OutgoingClient(),
    log,
    clock,
  });
  const rows = new CloudRows('dvr', { store, clock, directory: join(home, 'cloud/dvr') });
  const recorder = new CloudRecorder({
    kind: 'dvr',
    rows,
    queue,
    switches: new CloudSwitches(store),
    log,
    sink: {
      isReady: async () => true,
      begin: async () => ({}),
      placeFor: () => Promise.reject(new Error('nothing is uploaded here')),
      finish: async () => ({}),
      urlOf: () => '',
    },
    clock,
  });
  await recorder.resume();
  for (const [number, sequence] of [
    [3, 15],
    [4, 16],
  ] as const) {
    const file = join(home, `${number}.ts`);
    writeFileSync(file, `segment ${number}`);
    const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show', clientId: 'b' };
    const facts = { format: 'mpegts', durationMs: 2000, isDiscontinuity: false } as const;
    await recorder.take({ ...place, ...facts, id: idOf(number), file, sequence });
  }
  expect(await rows.list()).toMatchObject([
    { uuid, state: 'recording', segments: 4, durationMs: 8006, bytes: 36, lost: 1 },
  ]);
  expect(await queue.idsOf('dvr')).toEqual([idOf(3), idOf(4)]);
  clock.pass(300_000);
  await recorder.endSilent();
  expect(await rows.get(uuid)).toMatchObject({ state: 'finishing', segments: 4 });
  expect(await queue.idsOf('dvr')).toEqual([idOf(3), idOf(4), `${uuid}-playlist`]);
  const playlist = readFileSync(join(home, `uploads/dvr-${uuid}-playlist`), 'utf8').split('\n');
  expect(playlist.filter((line) => /\.ts$|DISCONTINUITY$|ENDLIST/.test(line))).toEqual([
    `${idOf(1)}.ts`,
    `${idOf(2)}.ts`,
    '#EXT-X-DISCONTINUITY',
    `${idOf(3)}.ts`,
    `${idOf(4)}.ts`,
    '#EXT-X-ENDLIST',
  ]);
});
