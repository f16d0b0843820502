import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { place } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import { until } from '../player-views/player-views.fixture.ts';
import { PlayerViews } from '../player-views/player-views.ts';
import type { ProgramSwitch } from './program-settings.ts';
import { Encoder } from './program-stage.fixture.ts';
import { Programs } from './programs.ts';
import { builtInSlates } from './slate/built-in-slates.ts';

const failMs = 300;
const pausedMs = 600;

let line: ChildProcess;
let hub: Hub;
let programs: Programs;
const switches: ProgramSwitch[] = [];
beforeEach(() => {
  // A frame for each piece of text that arrives.
  line = spawn(process.execPath, ['-e', "setInterval(() => process.stdout.write('.'), 40)"]);
  hub = new Hub({ returnMs: 15_000 });
  switches.length = 0;
  programs = new Programs({
    hub,
    log: quietLog,
    slates: { prepare: () => undefined, find: () => builtInSlates()[0], music: () => undefined },
    viewOf: (stream) => stream,
    browserViewOf: (stream) => stream,
    hlsEndsOf: () => ({ segmentMs: 0, partMs: 0 }),
    conversions: () => new PlayerViews({ log: quietLog }).conversions('', ''),
    onBegan: () => undefined,
    onEnded: () => undefined,
    onSwitch: (_place, change) => switches.push(change),
  });
  const { name, ...rest } = place;
  const slate = { afterMs: failMs, mostMs: 0, picture: '', music: '', leastKbps: 0 };
  const rules = { failMs, returnMs: -1, leastMs: 0, isConforming: false, slate };
  programs.set([{ ...rest, stream: name, inputs: [{ id: 'main' }], isLasting: true, ...rules }]);
});
afterEach(() => {
  line.kill();
  programs.close();
});

it('a pause of our own process is no lost input, and a line that fell silent is', async () => {
  const encoder = new Encoder(hub, 'main');
  let isDown = false;
  line.stdout?.on('data', (dots: Buffer) => {
    if (!isDown) for (const _ of dots) encoder.tick();
  });
  const program = programs.find(place);
  await until(() => program?.onAir === 'main', 'it is on air');
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    // After sockets, as work of our own is: timers are next.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pausedMs);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(switches.map(({ to }) => to)).toEqual(['main']);
  isDown = true;
  await until(() => program?.onAir === 'slate', 'the slate is on air');
  expect(switches.at(-1)).toMatchObject({ from: 'main', reason: 'silent' });
});
