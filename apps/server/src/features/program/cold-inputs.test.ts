import { Program } from '@weir/contract';
import type { ProgramStatus } from '@weir/engine-api';
import { expect, it } from 'vitest';
import { ColdInputs } from './cold-inputs.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const program = Program.parse({
  ...place,
  uuid: 'p',
  inputs: [
    { id: 'publisher', kind: 'publisher' },
    { id: 'pull', kind: 'pull', url: 'rtmp://elsewhere/live/a', isCold: true },
    { id: 'file', kind: 'file', files: ['f'] },
  ],
});
const [, pull] = program.inputs;
if (!pull) throw new Error('no input');

function status(onAir: string, goodMs: Readonly<Record<string, number>>): ProgramStatus {
  const none = { fit: 'same', silentMs: 0, kbps: 0, fps: 0, video: '', audio: '', protocol: '', clientId: '' } as const;
  const inputs = Object.entries(goodMs).map(([id, ms]) => {
    const state = ms > 0 ? ('good' as const) : ('lost' as const);
    return { ...none, id, state, goodMs: ms, fault: '' as const };
  });
  return { ...place, onAir, onAirAtMs: 0, armed: '', isHeld: false, inputs, switches: [], gaps: [] };
}

it('a cold input is read while no better one can be on air, also where a worse one is', () => {
  const cold = new ColdInputs();
  expect(cold.isWanted(program, pull, status('publisher', { publisher: 60_000 }), 0)).toBe(false);
  expect(cold.isWanted(program, pull, status('', {}), 0)).toBe(true);
  expect(cold.isWanted(program, pull, status('file', { publisher: 0, file: 60_000 }), 0)).toBe(true);
});

it('a cold input is stopped once a better one was healthy for its time, and not while it is on air', () => {
  const cold = new ColdInputs();
  const wanted = (onAir: string, ms: number) => cold.isWanted(program, pull, status(onAir, { publisher: ms }), 0);
  expect(wanted('pull', 0)).toBe(true);
  expect(wanted('pull', 30_000)).toBe(true);
  expect(wanted('publisher', 6000)).toBe(true);
  expect(cold.isAnyWarm).toBe(true);
  expect(wanted('publisher', 16_000)).toBe(false);
  // A short life of the better one starts nothing anew.
  expect(wanted('publisher', 1000)).toBe(false);
  expect(cold.isAnyWarm).toBe(false);
});

it('a cold input is unchanged while the engine is away, and is read for a while on request', () => {
  const cold = new ColdInputs();
  const live = status('publisher', { publisher: 60_000 });
  expect(cold.isWanted(program, pull, undefined, 0)).toBe(false);
  cold.ask(program, 'pull', 0);
  expect(cold.isWanted(program, pull, live, 1000)).toBe(true);
  expect(cold.isWanted(program, pull, undefined, 31_000)).toBe(true);
  expect(cold.isWanted(program, pull, live, 31_000)).toBe(false);
  cold.ask(program, 'pull', 31_000);
  cold.keepOnly([]);
  expect(cold.isWanted(program, pull, live, 31_000)).toBe(false);
});
