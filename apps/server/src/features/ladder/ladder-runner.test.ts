import { LadderRule } from '@weir/contract';
import type { LadderPlan, LadderStatus } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { EncoderTests } from './encoder-tests.ts';
import { FreeCpu } from './free-cpu.ts';
import { LadderRunner } from './ladder-runner.ts';
import { RungCosts } from './rung-costs.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const video = { codec: 'H264', profile: 'High', width: 1280, height: 720 };
const media = { protocol: 'rtmp', address: '', viewers: 0, kbps: 3000, fps: 25, video, audio: null, bFrames: false };
const rule = LadderRule.parse({
  id: 'r',
  pattern: '/live/*',
  encoder: 'libx264',
  rungs: [
    { lines: 480, kbps: 1200 },
    { lines: 240, kbps: 350 },
  ],
});
/** Measured: decoding 10, 480 lines 40, 240 lines 14. With headroom all need 80 %. */
const percents: Readonly<Record<number, number>> = { 480: 40, 240: 14 };

function open({ free = 100 } = {}) {
  let nowMs = 0;
  const clock = { elapsedMs: () => nowMs, dateMs: () => nowMs, pause: async () => undefined };
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream({ media })];
  const tests = new EncoderTests();
  vi.spyOn(tests, 'of').mockImplementation(async (encoder) => {
    return { encoder, isUsable: true, fault: '', detail: '', device: '' };
  });
  const costs = new RungCosts({ ownToken: '', clock });
  vi.spyOn(costs, 'measure').mockImplementation(async (_input, _source, { rungs }) => {
    return { decodePercent: 10, rungs: rungs.map((rung) => ({ ...rung, percent: percents[rung.lines] ?? 0 })) };
  });
  const machine = new FreeCpu(mediaServer);
  vi.spyOn(machine, 'freePercent').mockImplementation(async () => free);
  const input = { ...place, name: 'live/show', publishedAt: '', clientId: 'c1', isMadeByUs: false, secrets: [] };
  const source = { kind: 'live', url: '' } as const;
  const live = { ...input, input: source, ofQuality: () => source };
  const inputs = { look: async () => ({ streams: [live], ownPlaceOf: () => undefined, isLoop: () => false }) };
  const rules = async () => [rule];
  const log = createLog('test', 'error');
  const runner = new LadderRunner({ rules, mediaServer, inputs, tests, costs, machine, clock, log });
  const plans = (): readonly LadderPlan[] => mediaServer.applied.findLast(({ ladders }) => ladders)?.ladders ?? [];
  return {
    runner,
    mediaServer,
    row: () => runner.rows()[0],
    lines: () => plans()[0]?.rungs.map(({ lines }) => lines),
    setFree: (percent: number) => {
      free = percent;
    },
    /** Looks again after some seconds, and once what it began is done. */
    look: async (seconds = 1) => {
      nowMs += seconds * 1000;
      for (let turn = 0; turn < 3; turn++) {
        await runner.review();
        await new Promise(setImmediate);
      }
    },
  };
}

const status = (change: Partial<LadderStatus> = {}): LadderStatus => ({
  ...place,
  encoder: 'libx264',
  state: 'running',
  reason: '',
  isBehind: false,
  pid: 1,
  starts: 1,
  failures: 0,
  rungs: rule.rungs.map(({ lines }) => ({ lines, name: `${lines}p`, kbps: 300 })),
  ...change,
});

it('makes what fits by its measured cost, says in words what does not, and looks again when there is room', async () => {
  const { look, row, lines, setFree } = open({ free: 50 });
  await look();
  expect(lines()).toEqual([240]);
  expect(row()).toMatchObject({
    cause: 'room',
    reason: 'all qualities need 80 % of a core and 50 % are free',
    rungs: [
      { lines: 480, isMade: false, percent: 40 },
      { lines: 240, isMade: true, percent: 14 },
    ],
  });
  setFree(85);
  await look();
  expect(lines()).toEqual([240]);
  await look(31);
  expect([lines(), row()?.cause]).toEqual([[480, 240], '']);
});

it('makes nothing on a machine that has no time for the smallest, and says so', async () => {
  const { look, row, lines } = open({ free: 20 });
  await look();
  expect(lines()).toBeUndefined();
  expect(row()).toMatchObject({ state: 'refused', cause: 'room', needPercent: 80, freePercent: 20 });
});

it('lets a smaller ladder take over when the engine is behind, the smallest last, and tries all again later', async () => {
  const { look, row, lines, mediaServer } = open();
  await look();
  expect(lines()).toEqual([480, 240]);
  mediaServer.made = [status({ isBehind: true })];
  await look(16);
  expect(lines()).toEqual([240]);
  expect(row()).toMatchObject({ cause: 'overload', reason: 'the machine did not keep up with all qualities' });
  mediaServer.made = [status({ isBehind: false })];
  await look(300);
  expect(lines()).toEqual([240]);
  await look(301);
  expect([lines(), row()?.cause]).toEqual([[480, 240], '']);
});

it('does not interrupt the ladder of an engine that went on while this server restarted', async () => {
  const { runner, look, lines, mediaServer } = open({ free: 0 });
  mediaServer.made = [status()];
  await runner.review();
  // The engine gets no plan before the decision.
  expect(mediaServer.applied).toEqual([]);
  await look();
  expect(lines()).toEqual([480, 240]);
});
