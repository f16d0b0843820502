import { expect, it } from 'vitest';
import { anAlert, runningStatus } from '../../../testing/fake-server.ts';
import { certificateState, daysLeft, verdictOf } from './verdict.ts';

const { health } = runningStatus;
const guessing = anAlert({});
const failing = anAlert({ severity: 'bad' });

it.each([
  ['all is well', { health, alerts: [] }, 'overview.running'],
  ['there is an alert', { health, alerts: [guessing] }, 'overview.attention'],
  [
    'the disk is full',
    { health: { ...health, disk: { ...health.disk, ok: false } }, alerts: [] },
    'overview.attention',
  ],
  ['the store is gone', { health: { ...health, store: { ok: false } }, alerts: [guessing] }, 'overview.failing'],
  [
    'the engine is gone',
    { health: { ...health, engine: { ...health.engine, ok: false } }, alerts: [] },
    'overview.failing',
  ],
])('says so when %s', (_case, status, word) => {
  expect(verdictOf(status).word).toBe(word);
});

it('is as bad as the worst alert', () => {
  expect(verdictOf({ health, alerts: [guessing] }).tone).toBe('warn');
  expect(verdictOf({ health, alerts: [guessing, failing] }).tone).toBe('bad');
});

it.each([
  ['2025-12-31T00:00:00Z', 'overview.certExpired'],
  ['2026-01-10T00:00:00Z', 'overview.certSoon'],
  ['2026-03-01T00:00:00Z', 'overview.certOk'],
])('reads a certificate that ends %s as %s', (expireAt, word) => {
  expect(certificateState({ expireAt, isSelfSigned: false }, Date.parse('2026-01-01T00:00:00Z')).word).toBe(word);
});

it('does not call a certificate valid that nobody vouches for', () => {
  const own = { expireAt: '2036-01-01T00:00:00Z', isSelfSigned: true };
  expect(certificateState(own, Date.parse('2026-01-01T00:00:00Z'))).toEqual({
    tone: 'warn',
    word: 'certs.untrusted',
  });
});

it.each([
  ['2026-01-31T12:00:00Z', 30],
  ['2026-01-01T23:00:00Z', 0],
  ['2025-01-01T00:00:00Z', 0],
])('counts the whole days until %s', (expireAt, days) => {
  expect(daysLeft(expireAt, Date.parse('2026-01-01T00:00:00Z'))).toBe(days);
});
