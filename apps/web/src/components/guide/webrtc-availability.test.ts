import { expect, it } from 'vitest';
import { checkWebrtc } from './webrtc-availability.ts';

const far = 'live.example.com';
const inDocker = { platformDocker: true, candidate: false };
const withCandidate = { platformDocker: true, candidate: true };
const outside = { platformDocker: false, candidate: false };

it.each([
  ['https:', far, outside, false, { canPlay: true, canPublish: true, obstacle: undefined }],
  ['https:', far, inDocker, false, { canPlay: true, canPublish: true, obstacle: undefined }],
  ['http:', far, outside, false, { canPlay: true, canPublish: false, obstacle: 'https' }],
  ['http:', far, outside, true, { canPlay: true, canPublish: true, obstacle: undefined }],
  ['http:', 'localhost', outside, false, { canPlay: true, canPublish: true, obstacle: undefined }],
  ['http:', 'localhost', withCandidate, false, { canPlay: true, canPublish: true, obstacle: undefined }],
  ['http:', 'localhost', inDocker, false, { canPlay: false, canPublish: false, obstacle: 'localhost' }],
  ['http:', '127.0.0.1', inDocker, false, { canPlay: false, canPublish: false, obstacle: 'localhost' }],
  ['https:', 'localhost', inDocker, false, { canPlay: false, canPublish: true, obstacle: 'localhost' }],
  ['http:', 'localhost', inDocker, true, { canPlay: true, canPublish: true, obstacle: undefined }],
] as const)('at %s//%s with %j, allowed %s: %j', (protocol, hostname, environment, isAllowed, expected) => {
  expect(checkWebrtc({ page: { protocol, hostname }, environment, isAllowed })).toEqual(expected);
});
