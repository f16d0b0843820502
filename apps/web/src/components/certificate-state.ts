import { certs } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { Tone } from './ui/feedback/status-label.tsx';

const dayMs = 24 * 3600_000;

/** Whole days; 0 on the last day and later. */
export function daysLeft(expireAt: string, now: number): number {
  return Math.max(0, Math.floor((Date.parse(expireAt) - now) / dayMs));
}

/** State of a certificate by expiry date and issuer. */
export function certificateState(
  { expireAt, isSelfSigned }: { readonly expireAt: string; readonly isSelfSigned: boolean },
  now: number,
): { tone: Tone; word: ParseKeys } {
  const leftMs = Date.parse(expireAt) - now;
  if (leftMs <= 0) return { tone: 'bad', word: 'overview.certExpired' };
  if (leftMs < certs.alertBeforeMs) return { tone: 'warn', word: 'overview.certSoon' };
  if (isSelfSigned) return { tone: 'warn', word: 'certs.untrusted' };
  return { tone: 'ok', word: 'overview.certOk' };
}
