/** Replaces a stored secret in responses. Sending it back keeps the secret. */
export const keyMask = '\u2022'.repeat(8);

/** Shows enough of a long key to recognise it, and nothing of a short one. */
export function maskKey(key: string): string {
  if (key === '') return '';
  return key.length < 16 ? keyMask : keyMask + key.slice(-4);
}
