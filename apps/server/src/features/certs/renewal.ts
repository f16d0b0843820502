import { certs } from '@weir/contract';

const hourMs = 3600_000;
const dayMs = 24 * hourMs;

interface RenewalFacts {
  /** Undefined without a certificate, which is due at once. */
  readonly certificate: { readonly validFrom: string; readonly expireAt: string } | undefined;
  /** Failures in a row, and when the last one was. */
  readonly failures: number;
  readonly failedAt: number;
}

/** When a certificate is to be ordered again, in milliseconds. */
export function renewalAt({ certificate, failures, failedAt }: RenewalFacts): number {
  return Math.max(dueAt(certificate), failures === 0 ? 0 : failedAt + retryAfterMs(failures));
}

function dueAt(certificate: RenewalFacts['certificate']): number {
  if (!certificate) return 0;
  const [from, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.expireAt)];
  return end - Math.min(certs.renewBeforeMs, (end - from) / 3);
}

/** An hour, doubled with each failure, at most a day, because authorities block frequent attempts. */
function retryAfterMs(failures: number): number {
  return Math.min(dayMs, hourMs * 2 ** Math.min(10, failures - 1));
}
