import { expect, it } from 'vitest';
import { certificateState, daysLeft } from './certificate-state.ts';

it.each([
  ['2025-12-31T00:00:00Z', 'overview.certExpired'],
  ['2026-01-10T00:00:00Z', 'overview.certSoon'],
  ['2026-03-01T00:00:00Z', 'overview.certOk'],
])('describes a certificate that expires %s as %s', (expireAt, word) => {
  expect(certificateState({ expireAt, isSelfSigned: false }, Date.parse('2026-01-01T00:00:00Z')).word).toBe(word);
});

it('does not call a self-signed certificate valid', () => {
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
