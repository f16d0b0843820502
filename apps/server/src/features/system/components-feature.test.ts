import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaneName, PlaneState } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { DataUseMeter } from './components-feature.ts';
import { downloaderTool, ffmpegProgram, ffmpegTool, ProgramProbe, srtTool } from './tools.ts';

const state: PlaneState = { pid: 0, isReady: false, startedAt: new Date().toISOString(), restarts: 0, lastExit: null };
const exit = { at: state.startedAt, wanted: true, code: 0, signal: null, reason: '' };

async function createApp() {
  const asked: PlaneName[] = [];
  const launcher = {
    planes: () => ({ engine: { ...state, lastExit: exit }, server: { ...state, pid: process.pid, isReady: true } }),
    restart: (plane: PlaneName) => void asked.push(plane),
    waitsFor: () => undefined,
  };
  return { asked, ...(await createReadyApp({ launcher, mediaServer: new FakeMediaServer() })) };
}

describe('components', () => {
  it('reports the processes, the programs and the data directory', async () => {
    const { call, dataDir } = await createApp();
    writeFileSync(join(dataDir, 'weir.db'), Buffer.alloc(1000));
    const { planes, tools, dataUse } = (await call('mgmt/components/query')).data;
    expect(planes).toMatchObject([
      { name: 'engine', pid: 0, ready: false, memoryBytes: null, lastExit: { wanted: true, code: 0 } },
      { name: 'server', pid: process.pid, ready: true, memoryBytes: expect.any(Number) },
    ]);
    expect(tools).toMatchObject([
      { name: 'node', state: 'there', version: process.versions.node },
      { name: 'ffmpeg', state: 'there', version: expect.stringMatching(/\d/) },
      { name: 'libsrt', state: 'there', version: '1.5.1' },
      { name: 'yt-dlp', state: 'there', version: expect.stringMatching(/^\d{4}\.\d\d\.\d\d/) },
    ]);
    expect(dataUse).toMatchObject({ path: dataDir, bytes: 1000, storeBytes: 1000, atLeast: false });
  });

  it('reports how a worker of the engine ended, in the same form as the end of any process', async () => {
    const mediaServer = new FakeMediaServer();
    const { call } = await createReadyApp({ mediaServer });
    const last = { ...exit, wanted: false, code: null, signal: 'SIGKILL', reason: 'ended by SIGKILL' };
    expect((await call('mgmt/components/query')).data.failedWorkers).toEqual([]);
    mediaServer.workerExits = [{ worker: 'rtc', count: 2, last }];
    expect((await call('mgmt/components/query')).data.failedWorkers).toEqual([
      { name: 'rtc', failures: 2, lastExit: last },
    ]);
  });

  it('passes a restart to the launcher, and no other name', async () => {
    const { call, asked } = await createApp();
    expect(await call('mgmt/components/restart', { name: 'engine' })).toMatchObject({ code: 0, data: null });
    expect(await call('mgmt/components/restart', { name: 'launcher' })).toMatchObject({ status: 422, code: 1004 });
    expect(await call('mgmt/components/restart')).toMatchObject({ status: 422, code: 1000 });
    expect(asked).toEqual(['engine']);
  });

  it('restarts nothing without a credential, or without a launcher', async () => {
    const { post, asked } = await createApp();
    expect(await post('/terraform/v1/mgmt/components/restart', { name: 'engine' })).toMatchObject({ status: 401 });
    expect(asked).toEqual([]);
    const alone = await createReadyApp();
    expect(await alone.call('mgmt/components/restart', { name: 'engine' })).toMatchObject({ status: 503 });
    expect((await alone.call('mgmt/components/query')).data.planes).toEqual([]);
  });
});

it('identifies the downloader by the date that it prints', () => {
  expect(downloaderTool('2023.03.04\n', false)).toMatchObject({ state: 'there', version: '2023.03.04' });
  expect(downloaderTool('usage: …', false)).toMatchObject({ state: 'unknown', version: '' });
  expect(downloaderTool('', true)).toMatchObject({ state: 'missing' });
});

describe('libsrt', () => {
  const engine = { startedAt: '', listeners: [], srtVersion: '', workerExits: [] };
  const listener = { protocol: 'srt', port: 10080, ready: false, note: 'no-library' } as const;

  it('is present before the engine has loaded it, missing when the engine says so, unknown without an engine', () => {
    expect(srtTool(engine)).toMatchObject({ state: 'there', version: '' });
    expect(srtTool({ ...engine, listeners: [listener] })).toMatchObject({ state: 'missing' });
    expect(srtTool(undefined)).toMatchObject({ state: 'unknown' });
  });
});

describe('the size of the data directory', () => {
  function fill() {
    const root = mkdtempSync(join(tmpdir(), 'weir-use-'));
    mkdirSync(join(root, 'hls/live'), { recursive: true });
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, 'hls/live', name), Buffer.alloc(100));
    writeFileSync(join(root, 'note'), Buffer.alloc(10));
    symlinkSync('/usr', join(root, 'elsewhere'));
    symlinkSync(root, join(root, 'hls/circle'));
    return root;
  }

  it('counts files at every depth and follows no link', async () => {
    const use = await new DataUseMeter(fill(), new FakeClock()).read();
    expect(use).toMatchObject({ bytes: 310, atLeast: false });
    expect(use.largest[0]).toEqual({ name: 'hls', bytes: 300 });
  });

  it('stops counting at its limit and reports that', async () => {
    expect(await new DataUseMeter(fill(), new FakeClock(), { entries: 3, ms: 10_000 }).read()).toMatchObject({
      atLeast: true,
    });
    expect(await new DataUseMeter(fill(), new FakeClock(), { entries: 1000, ms: -1 }).read()).toMatchObject({
      atLeast: true,
    });
  });

  it('is counted at most once a minute', async () => {
    const root = fill();
    const clock = new FakeClock();
    const meter = new DataUseMeter(root, clock);
    await meter.read();
    writeFileSync(join(root, 'more'), Buffer.alloc(5));
    clock.pass(59_999);
    expect((await meter.read()).bytes).toBe(310);
    clock.pass(1);
    expect((await meter.read()).bytes).toBe(315);
  });

  it('is nothing when the directory is gone', async () => {
    expect(await new DataUseMeter('/nowhere/at/all', new FakeClock()).read()).toMatchObject({ bytes: 0, largest: [] });
  });
});

describe('ffmpeg', () => {
  it.each([
    ['ffmpeg version 5.1.6-0+deb12u1 Copyright\n  configuration: --enable-libopus --enable-libx264\n', 'there', []],
    ['ffmpeg version n7.0\nconfiguration: --enable-libx264 --enable-libopusfile\n', 'there', ['libopus']],
    ['something else', 'unknown', []],
  ])('is identified by its output: %.20s', (text, found, lacks) => {
    expect(ffmpegTool(text, false)).toMatchObject({ state: found, lacks });
  });

  it('is missing where there is no such program, until there is one', async () => {
    const probe = new ProgramProbe({ ...ffmpegProgram, command: join(tmpdir(), 'no-such-ffmpeg') }, new FakeClock());
    expect(await probe.read()).toMatchObject({ state: 'missing', version: '' });
  });
});
