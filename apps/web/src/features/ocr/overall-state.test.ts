import { expect, it } from 'vitest';
import { ocrOverallState } from './overall-state.ts';

const builtIn = { by: 'built-in', host: '', cause: null } as const;
const nobody = { by: 'nobody', host: '', cause: 'no-provider' } as const;
const on = { all: true, aiChatEnabled: true };

it.each([
  ['off', { ...on, all: false }, { provider: nobody, stream: 'live/a', cause: null }],
  ['nobody', on, { provider: nobody, stream: 'live/a', cause: 'no-provider' }],
  ['waiting', on, { provider: builtIn, stream: '', cause: 'timeout' }],
  ['live', on, { provider: builtIn, stream: 'live/a', cause: null }],
  ['troubled', on, { provider: builtIn, stream: 'live/a', cause: 'no-picture' }],
  ['picturesOnly', { all: true, aiChatEnabled: false }, { provider: nobody, stream: 'live/a', cause: null }],
] as const)('has the overall state %s', (overall, config, state) => {
  expect(ocrOverallState(config, state)).toBe(overall);
});
