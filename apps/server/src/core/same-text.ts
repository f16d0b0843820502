import { hash, timingSafeEqual } from 'node:crypto';

/** In constant time, whatever the lengths. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
