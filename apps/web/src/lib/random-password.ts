import { suggestedPasswordCharacters } from '@weir/contract';
import { passwordStrength } from './password-strength.ts';

/** The end of a random UUID without dashes: one in a few thousand has digits alone, and another one is drawn. */
export function suggestPassword(): string {
  for (;;) {
    const password = uuidEnd();
    if (passwordStrength(password) === 'strong') return password;
  }
}

/** `crypto.randomUUID` is missing on pages over plain http, so it is built here. */
function uuidEnd(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562, 5.4: version 4 in the seventh byte, the variant in the ninth.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const uuid = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return uuid.slice(-suggestedPasswordCharacters);
}
