import type { WatchedStream } from '@weir/contract';
import { expect, it } from 'vitest';
import { idleState } from '../../../components/player/session/player-state.ts';
import { endedLinkOf, nextLookMs, noteOf, stageOf } from './stage.ts';

const nowMs = Date.parse('2026-06-01T18:00:00Z');
const page: WatchedStream['page'] = {
  title: '',
  description: '',
  accent: '',
  links: [],
  showsViewers: false,
  allowsSharing: true,
  isIndexed: false,
  isListed: false,
  startsAt: '',
  endsAt: '',
};
const stream: WatchedStream = {
  playback: 'abcdefghijklmnop',
  mode: 'open',
  isLive: false,
  sites: [],
  refusal: '',
  startedAt: '',
  page,
  pictures: { poster: '', logo: '', background: '' },
  site: { title: '', icp: '' },
};

it.each<[string, Partial<WatchedStream>, boolean, string]>([
  ['a live stream', { isLive: true }, true, 'play'],
  ['a stream that is off', {}, false, 'offline'],
  ['a stream that was live before', {}, true, 'ended'],
  ['an announced stream', { page: { ...page, startsAt: '2026-06-01T20:00:00Z' } }, false, 'countdown'],
  ['a stream that should have begun', { page: { ...page, startsAt: '2026-06-01T17:50:00Z' } }, false, 'soon'],
  ['a stream that never began', { page: { ...page, startsAt: '2026-06-01T12:00:00Z' } }, false, 'offline'],
  ['a stream whose end was announced', { page: { ...page, endsAt: '2026-06-01T17:00:00Z' } }, false, 'ended'],
  ['a full stream', { isLive: true, refusal: 'full' }, false, 'play'],
  ['a password that is missing', { mode: 'password', refusal: 'no-token' }, false, 'password'],
  ['a password that was changed', { mode: 'password', refusal: 'revoked' }, true, 'password'],
  ['a link that is missing', { mode: 'link', refusal: 'no-token' }, false, 'link'],
  ['a token that is missing', { mode: 'token', refusal: 'no-token' }, false, 'token'],
  ['a link that was revoked', { mode: 'link', isLive: true, refusal: 'revoked' }, true, 'revoked'],
  ['a link for another stream', { mode: 'link', refusal: 'other-stream' }, false, 'invalid'],
  ['a link that begins later', { mode: 'link', refusal: 'not-yet' }, false, 'notYet'],
  ['a network that is shut out', { refusal: 'network' }, false, 'network'],
])('shows for %s the right stage', (_what, facts, wasLive, expected) => {
  expect(stageOf({ watched: { ...stream, ...facts }, wasLive, nowMs })).toBe(expected);
});

it("shows the engine's reason to a refused viewer", () => {
  const refused = { ...idleState, phase: 'failed', failure: { kind: 'refused' } } as const;
  expect(noteOf(refused, true)).toBe('devices');
  expect(noteOf(refused, false)).toBe('refused');
  expect(noteOf({ ...idleState, phase: 'waiting', failure: { kind: 'busy' } }, false)).toBe('full');
  expect(noteOf({ ...idleState, phase: 'failed', failure: { kind: 'codec' } }, false)).toBe('unsupported');
});

it('looks often only where a browser would play on after its permission ended', () => {
  const look = (watched: WatchedStream, kind: string) => nextLookMs({ watched, stage: 'play', kind, nowMs });
  expect(look({ ...stream, mode: 'link' }, 'hls')).toBeLessThan(1500);
  expect(look({ ...stream, mode: 'link' }, 'whep')).toBe(10_000);
  expect(look(stream, 'hls')).toBe(10_000);
});

it('distinguishes an expired link from a changed password', () => {
  const tokenOf = (jti: string) => `head.${Buffer.from(JSON.stringify({ jti })).toString('base64url')}.sign`;
  const watched = (refusal: WatchedStream['refusal']) => ({ refusal }) as WatchedStream;
  expect(endedLinkOf(watched('revoked'), tokenOf('link-1'))).toBe('revoked');
  expect(endedLinkOf(watched('expired'), tokenOf('link-1'))).toBe('expired');
  expect(endedLinkOf(watched('revoked'), tokenOf('password.1'))).toBeUndefined();
  expect(endedLinkOf(watched('no-token'), '')).toBeUndefined();
});
