import { expect, it, vi } from 'vitest';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { EncoderTests } from './encoder-tests.ts';
import { FreeCpu } from './free-cpu.ts';
import { LadderService } from './ladder-service.ts';
import { RungCosts } from './rung-costs.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const video = { codec: 'H264', profile: 'High', width: 1280, height: 720 };
const media = { protocol: 'rtmp', address: '', viewers: 0, kbps: 3000, fps: 25, video, audio: null, bFrames: false };
const rule = {
  pattern: '/live/*',
  enabled: true,
  when: 'always',
  hasAudioOnly: false,
  isForced: false,
  encoder: '',
  preset: 'superfast',
  rungs: [{ lines: 480, kbps: 1200 }],
} as const;

it('refuses in words a rule that is known not to fit for a live stream, unless it is forced or off', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream({ media })];
  const clock = { elapsedMs: () => 0, dateMs: () => 0, pause: async () => undefined };
  const tests = new EncoderTests();
  const usable = { encoder: 'libx264', isUsable: true, fault: '', detail: '', device: '' } as const;
  vi.spyOn(tests, 'chosen').mockImplementation(async () => usable);
  const costs = new RungCosts({ ownToken: '', clock });
  vi.spyOn(costs, 'known').mockImplementation((_input, _source, { rungs }) => {
    return { decodePercent: 10, rungs: rungs.map((rung) => ({ ...rung, percent: 54 })) };
  });
  const machine = new FreeCpu(mediaServer);
  const free = vi.spyOn(machine, 'freePercent').mockImplementation(async () => 50);
  const live = { ...place, name: 'live/show', publishedAt: '', clientId: 'c1', isMadeByUs: false, secrets: [] };
  const source = { kind: 'live', url: '' } as const;
  const input = { ...live, input: source, ofQuality: () => source };
  const inputs = { look: async () => ({ streams: [input], ownPlaceOf: () => undefined, isLoop: () => false }) };
  const runner = { usedBy: () => 0 };
  const service = new LadderService({ store: new MemoryStore(), mediaServer, inputs, tests, costs, machine, runner });
  const change = { ...rule, rungs: [...rule.rungs] };
  await expect(service.save(change)).rejects.toThrow(
    'rungs: all qualities need 80 % of a core and 50 % are free, choose a faster preset or fewer qualities',
  );
  expect(await service.rules()).toEqual([]);
  const off = await service.save({ ...change, enabled: false });
  await expect(service.save({ ...change, id: off.id })).rejects.toThrow('80 % of a core');
  await service.save({ ...change, id: off.id, isForced: true });
  free.mockImplementation(async () => 90);
  expect(await service.save({ ...change, id: off.id })).toMatchObject({ id: off.id, isForced: false });
});
