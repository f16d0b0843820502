import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { client } from '../frames.fixture.ts';
import type { Gate } from './gate.ts';
import { MemoryGate } from './memory-gate.ts';

const MiB = 1024 * 1024;
const limitBytes = 512 * MiB;
const inner: Gate = {
  publish: async () => undefined,
  unpublish: () => undefined,
  publishRefused: () => undefined,
  play: async () => undefined,
  stop: () => undefined,
  segment: () => undefined,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(viewers = [client('flv-play')]) {
  const state = { usedMb: 100, released: 0 };
  const gate = new MemoryGate({
    gate: inner,
    clients: { all: () => viewers.values() },
    isKnown: ({ name }) => name === 'known',
    memory: () => ({ usedBytes: state.usedMb * MiB, limitBytes }),
    release: () => {
      state.released += 1;
    },
    log: quietLog,
  });
  const set = (usedMb: number) => {
    state.usedMb = usedMb;
    vi.advanceTimersByTime(1000);
  };
  return { gate, state, set };
}

const named = (name: string) => ({ ...client('rtmp-publish').info, place: { vhost: '', app: 'live', name } });
const viewer = client('flv-play').info;

it('S18: refuses new viewers and publishers in words while memory is nearly full, and admits them again', async () => {
  const { gate, set } = open();
  await gate.play(viewer);
  set(415);
  await expect(gate.play(viewer)).rejects.toMatchObject({ message: expect.stringContaining('memory'), isBusy: true });
  await expect(gate.publish(named('new'))).rejects.toMatchObject({ reason: 'memory', isBusy: true });
  // Its viewers are there and wait for it.
  await gate.publish(named('known'));
  set(300);
  await gate.play(viewer);
  gate.close();
});

it('S18: notices hundreds of newcomers within one second', async () => {
  const { gate, state } = open();
  await gate.play(viewer);
  state.usedMb = 500;
  vi.advanceTimersByTime(150);
  await expect(gate.play(viewer)).rejects.toThrow('memory');
  gate.close();
});

/** Forty clients, the oldest first: a publisher, and viewers of which those listed are far behind. */
function openCrowd(behind: readonly number[]) {
  const kicked: number[] = [];
  const viewers = Array.from({ length: 40 }, (_, n) => ({
    ...client(n === 0 ? 'rtmp-publish' : 'flv-play'),
    kick: () => void kicked.push(n),
    ...(behind.includes(n) && { lag: () => (kicked.includes(n) ? 0 : 9000) }),
  })).map((entry, n) => ({ ...entry, info: { ...entry.info, connectedAt: new Date(n * 1000) } }));
  return { ...open(viewers), kicked };
}

it('S18: disconnects viewers far behind first and then the newest, a few at a time, and no publisher', () => {
  const { set, gate, state, kicked } = openCrowd([7]);
  set(420);
  expect([kicked, state.released]).toEqual([[], 1]);
  set(480);
  expect(kicked).toEqual([7]);
  set(480);
  expect(kicked).toEqual([7, 39, 38]);
  gate.close();
});

it('S18: keeps viewers who are current when the memory of those far behind only has to be released', () => {
  const { set, gate, state, kicked } = openCrowd([3, 4, 5]);
  set(480);
  set(480);
  expect([kicked, state.released]).toEqual([[3, 4, 5], 1]);
  const usedMb = () => (state.released > 1 ? 300 : 480);
  Object.defineProperty(state, 'usedMb', { get: usedMb, set: () => undefined });
  set(480);
  set(480);
  expect([kicked, state.released]).toEqual([[3, 4, 5], 2]);
  gate.close();
});

it('leaves everything to the other gate without a limit', async () => {
  const memory = vi.fn(() => undefined);
  const options = { clients: { all: () => [].values() }, isKnown: () => false, release: () => undefined };
  const gate = new MemoryGate({ ...options, gate: inner, memory, log: quietLog });
  await gate.play(viewer);
  await gate.publish(named('new'));
  expect(memory).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
