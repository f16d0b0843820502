import { limits, suggestedPasswordCharacters } from '@weir/contract';

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/** What guessers try first. */
const commonParts =
  /password|passwort|mima|admin|root|welcome|letmein|qwert[yz]|asdf|abc|iloveyou|live|stream|weir|oryx/gi;
const alphabets = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/] as const;
const alphabetSizes = [26, 26, 10, 33] as const;
/** Orders of magnitude, as powers of two, of the guesses that a password stands. */
const weakBelow = 40;
const fairBelow = 60;

/** A rough guess, to nudge: the number of characters and their kinds, less what repeats, counts on or is common. */
export function passwordStrength(text: string): PasswordStrength {
  if (text.length < limits.passwordLeast) return 'short';
  const bits = estimateBits(text.replace(commonParts, 'a'));
  if (bits < weakBelow) return 'weak';
  return bits < fairBelow ? 'fair' : 'strong';
}

function estimateBits(text: string): number {
  const size = alphabets.reduce((sum, kind, at) => sum + (kind.test(text) ? (alphabetSizes[at] ?? 0) : 0), 0);
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.map((code, at) => code - (codes[at - 1] ?? Number.NaN));
  // The same character again, or the next one in the same direction, is nearly free to guess.
  const isFree = (step: number, at: number) => step === 0 || (Math.abs(step) === 1 && step === steps[at - 1]);
  return steps.reduce((bits, step, at) => bits + (isFree(step, at) ? 0.5 : Math.log2(size)), 0);
}

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
