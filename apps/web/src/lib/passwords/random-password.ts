import { suggestedPasswordCharacters } from '@weir/contract';

/** The end of a random UUID without dashes. `crypto.randomUUID` is missing on pages over plain http, so we build it. */
export function suggestPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562, 5.4: version 4 in the seventh byte, the variant in the ninth.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const uuid = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return uuid.slice(-suggestedPasswordCharacters);
}
