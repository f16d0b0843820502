/** Stands for a stored secret that is not given out. Sent back, it means: as it is. */
export const keyMask = '\u2022'.repeat(8);

/** Enough of a key to tell it from another, and of a short one nothing. */
export function maskKey(key: string): string {
  if (key === '') return '';
  return key.length < 16 ? keyMask : keyMask + key.slice(-4);
}
