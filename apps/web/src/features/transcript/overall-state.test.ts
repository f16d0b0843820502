import type { AiCause, ProcessState } from '@weir/contract';
import { expect, it } from 'vitest';
import { transcriptOverallState } from './overall-state.ts';

const builtIn = { by: 'built-in', host: '', cause: null } as const;
const stream = (state: ProcessState, cause: AiCause | null = null) => ({
  process: { state, since: '', failures: 0, starts: 0, failure: null, nextTry: '', lastExit: null, numbers: null },
  cause,
});

it.each([
  ['off', false, [stream('live')]],
  ['waiting', true, [stream('waiting')]],
  ['starting', true, [stream('starting'), stream('waiting')]],
  ['live', true, [stream('live'), stream('waiting')]],
  ['troubled', true, [stream('live', 'timeout')]],
  ['troubled', true, [stream('live'), stream('reconnecting')]],
  ['failing', true, [stream('live', 'timeout'), stream('failing')]],
] as const)('has the overall state %s', (overall, isOn, streams) => {
  expect(transcriptOverallState(isOn, { provider: builtIn, streams })).toBe(overall);
});

it('reports missing speech recognition first', () => {
  const provider = { by: 'nobody', host: '', cause: 'no-provider' } as const;
  expect(transcriptOverallState(true, { provider, streams: [stream('live')] })).toBe('nobody');
  expect(transcriptOverallState(false, { provider, streams: [] })).toBe('off');
});
