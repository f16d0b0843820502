import { expect, it } from 'vitest';
import { checkProtocol } from './protocol-availability.ts';

const http = { protocol: 'http', ready: true, note: '' };
const srt = { protocol: 'srt', ready: true, note: '' };

it.each([
  [undefined, { kind: 'unknown' }],
  [[], { kind: 'unknown' }],
  [[http], { kind: 'off', obstacle: 'other' }],
  [[http, srt], { kind: 'ready' }],
  [[http, { ...srt, ready: false }], { kind: 'off', obstacle: 'other' }],
  [[http, { ...srt, ready: false, note: 'no-library' }], { kind: 'off', obstacle: 'library' }],
  [[http, { ...srt, ready: false, note: 'no-filter' }], { kind: 'off', obstacle: 'filter' }],
  [[http, { ...srt, ready: false, note: 'port-taken' }], { kind: 'off', obstacle: 'port' }],
] as const)('reads the availability of SRT from %j', (listeners, offer) => {
  expect(checkProtocol(listeners, 'srt')).toEqual(offer);
});

it('distinguishes protocols', () => {
  expect(checkProtocol([http, srt], 'rtc')).toEqual({ kind: 'off', obstacle: 'other' });
});
