import { defaultVhost, openAccess, type PlayRule } from '@weir/streams';
import { expect, it, onTestFinished } from 'vitest';
import { refusedFailure } from '../http/failures.ts';
import { FakeGate } from '../packagers/hls/hls-source.fixture.ts';
import { AccessGate } from './access-gate.ts';
import type { ClientInfo } from './clients/client-info.ts';
import { Clients } from './clients/clients.ts';
import type { Refused } from './clients/gate.ts';

const open: PlayRule = {
  id: 'r',
  pattern: '/live/*',
  mode: 'open',
  sites: [],
  networks: [],
  maxViewers: 10_000,
  maxPerLink: 0,
  passwordId: '',
  tokenKeys: [],
};
const closed: PlayRule = { ...open, networks: ['192.0.2.0/24'] };

const viewerOf = (name: string): ClientInfo => ({
  id: name,
  kind: 'flv-play',
  address: '127.0.0.1',
  place: { vhost: defaultVhost, app: 'live', name },
  param: '',
  tcUrl: '',
  pageUrl: '',
  connectedAt: new Date(),
});

it('S41: bounds the list of streams whose viewers lost permission, and lets no older signature pass for it', async () => {
  let nowMs = 1000;
  const gate = new AccessGate({
    gate: new FakeGate(),
    ask: async () => undefined,
    clients: new Clients(),
    nowMs: () => nowMs,
  });
  onTestFinished(() => gate.close());
  const endViewersOf = async (names: readonly string[]) => {
    gate.set({ ...openAccess, rules: [open] });
    for (const name of names) await gate.play(viewerOf(name));
    gate.set({ ...openAccess, rules: [closed] });
    for (const name of names) gate.stop(viewerOf(name));
  };
  await endViewersOf(['first']);
  expect(gate.endedAtMs('live/first')).toBe(1000);
  expect(gate.endedAtMs('live/quiet')).toBe(Number.NEGATIVE_INFINITY);
  nowMs = 2000;
  await endViewersOf(Array.from({ length: 6000 }, (_, n) => `invented-${n}`));
  expect(gate.endedAtMs('live/first')).toBe(2000);
  expect(gate.endedAtMs('live/quiet')).toBe(2000);
  nowMs = 3000;
  await endViewersOf(['last']);
  expect(gate.endedAtMs('live/last')).toBe(3000);
  expect(gate.endedAtMs('live/quiet')).toBe(2000);
});

it.each([
  ['link', 'no-token'],
  ['password', 'no-token; password=abcdefgh23456723'],
] as const)(
  'tells players of a stream for %s why they are refused, and whether a password helps',
  async (mode, header) => {
    const gate = new AccessGate({ gate: new FakeGate(), ask: async () => undefined, clients: new Clients() });
    onTestFinished(() => gate.close());
    const viewer = viewerOf('show');
    const playbacks = [{ id: 'abcdefgh23456723', place: viewer.place }];
    gate.set({ ...openAccess, rules: [{ ...open, mode }], playbacks });
    for (const refused of [gate.play(viewer), gate.assertMayWatch(viewer)]) {
      const error = await refused.catch((reason: unknown) => reason);
      expect(refusedFailure(error as Refused)).toMatchObject({ status: 403, headers: ['X-Weir-Refusal', header] });
    }
  },
);
