import { expect, it } from 'vitest';
import { renewalAt } from './renewal.ts';

const hourMs = 3600_000;
const at = (text: string) => Date.parse(text);
const quarter = { validFrom: '2026-01-01T00:00:00Z', expireAt: '2026-04-01T00:00:00Z' };
const shortLived = { validFrom: '2026-01-01T00:00:00Z', expireAt: '2026-01-07T00:00:00Z' };

it('a renewal is due 30 days before expiry, or when a third of a short lifetime is left', () => {
  expect(renewalAt({ certificate: quarter, failures: 0, failedAt: 0 })).toBe(at('2026-03-02T00:00:00Z'));
  expect(renewalAt({ certificate: shortLived, failures: 0, failedAt: 0 })).toBe(at('2026-01-05T00:00:00Z'));
});

it('a renewal is due at once without a certificate', () => {
  expect(renewalAt({ certificate: undefined, failures: 0, failedAt: 0 })).toBe(0);
});

it.each([
  [1, 1],
  [2, 2],
  [4, 8],
  [6, 24],
  [50, 24],
])('waits after %i failures for %i hours', (failures, hours) => {
  const failedAt = at('2026-03-03T00:00:00Z');
  expect(renewalAt({ certificate: quarter, failures, failedAt })).toBe(failedAt + hours * hourMs);
});

it('does not bring a renewal forward because an earlier order failed', () => {
  expect(renewalAt({ certificate: quarter, failures: 1, failedAt: at('2026-01-01T00:00:00Z') })).toBe(
    at('2026-03-02T00:00:00Z'),
  );
});
