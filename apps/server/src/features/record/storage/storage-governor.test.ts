import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordStorageRule } from '@weir/contract';
import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../core/clock.ts';
import { RecordingDisk } from './recording-disk.ts';
import { StorageGovernor } from './storage-governor.ts';
import type { Stored } from './storage-plan.ts';

const mb = 1024 ** 2;

function open(rule: Partial<RecordStorageRule> = {}) {
  const home = join(mkdtempSync(join(tmpdir(), 'weir-room-')), 'record');
  const log = createLog('test', 'error');
  log.level = 'silent';
  const disk = { freeBytes: 500 * mb, totalBytes: 1000 * mb };
  const world = {
    stopped: 0,
    stored: [] as Stored[],
    rule: RecordStorageRule.parse({ floorBytes: 100 * mb, ...rule }),
  };
  const recordingDisk = new RecordingDisk(home);
  const governor = new StorageGovernor({
    disk: {
      prepare: (doubt) => recordingDisk.prepare(doubt),
      measure: async () => ({ ...disk }),
      makeRoom: async () => undefined,
    },
    settings: {
      read: async () => ({
        all: true,
        globs: [],
        processCpDir: '',
        subtitles: false,
        segmentFormat: 'mpegts',
        qualities: ['source'],
        rule: world.rule,
      }),
    },
    stored: async () => world.stored,
    remove: async (uuid) => {
      const gone = world.stored.find((each) => each.uuid === uuid);
      disk.freeBytes += gone?.totalBytes ?? 0;
      world.stored = world.stored.filter((each) => each !== gone);
    },
    onStopped: async () => {
      world.stopped++;
    },
    log,
    clock: systemClock,
    holdMs: 300,
  });
  return { home, disk, world, governor };
}

const finished = (uuid: string, endedAtMs: number): Stored => ({
  uuid,
  endedAtMs,
  startedAtMs: endedAtMs - 1000,
  totalBytes: 50 * mb,
  isOver: true,
});

it('stops once at the limit of free space, reports it, and continues with space to spare', async () => {
  const { disk, world, governor } = open();
  await governor.check();
  expect([governor.mayRecord(), governor.alert(), world.stopped]).toEqual([true, undefined, 0]);
  disk.freeBytes = 99 * mb;
  await governor.check();
  await governor.check();
  expect([governor.mayRecord(), world.stopped]).toEqual([false, 1]);
  expect(await governor.report()).toMatchObject({ state: 'stopped', limit: 'floor', freeBytes: 99 * mb });
  expect(governor.alert()).toMatchObject({ since: expect.any(String) });
  disk.freeBytes = 105 * mb;
  await governor.check();
  expect(governor.mayRecord()).toBe(false);
  disk.freeBytes = 111 * mb;
  await governor.check();
  expect([governor.mayRecord(), governor.alert(), world.stopped]).toEqual([true, undefined, 1]);
});

it('deletes the oldest finished recordings where that is set', async () => {
  const { disk, world, governor } = open({ atLimit: 'delete-oldest' });
  world.stored = [finished('b', 2000), finished('a', 1000), finished('c', 3000)];
  disk.freeBytes = 90 * mb;
  await governor.check();
  expect(world.stored.map(({ uuid }) => uuid)).toEqual(['b', 'c']);
  expect([governor.mayRecord(), world.stopped]).toEqual([true, 0]);
  expect((await governor.report()).deleted).toBe(1);
  // And for a file that is to be made.
  expect(await governor.makeRoomFor(120 * mb, 'c')).toBe(true);
  expect(world.stored.map(({ uuid }) => uuid)).toEqual(['c']);
  expect(await governor.makeRoomFor(900 * mb, 'c')).toBe(false);
});

it('F06: trusts a failed write for a while, even if free space is measured', async () => {
  const { world, governor } = open();
  await governor.check();
  governor.refused(new Error('too many segments are waiting'));
  expect(governor.mayRecord()).toBe(true);
  governor.refused(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  expect(governor.mayRecord()).toBe(false);
  await governor.check();
  expect([governor.mayRecord(), world.stopped]).toEqual([false, 1]);
  await vi.waitFor(async () => {
    await governor.check();
    expect(governor.mayRecord()).toBe(true);
  });
});

it('F06: stops when its directory cannot be used, and continues when it can', async () => {
  const { home, world, governor } = open();
  await governor.check();
  rmSync(home, { recursive: true });
  writeFileSync(home, 'a file where the directory was');
  await governor.check();
  expect(await governor.report()).toMatchObject({ state: 'failing', limit: 'directory' });
  expect(world.stopped).toBe(1);
  rmSync(home);
  await governor.check();
  expect(governor.mayRecord()).toBe(true);
});
