import { limits, suggestedPasswordCharacters } from '@weir/contract';

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/** Parts of common passwords. */
const commonParts =
  /password|passwort|mima|admin|root|welcome|letmein|qwert[yz]|asdf|abc|iloveyou|live|stream|weir|oryx/gi;
const alphabets = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/] as const;
const alphabetSizes = [26, 26, 10, 33] as const;
/** Thresholds in bits of estimated entropy. */
const weakBelow = 40;
const fairBelow = 60;

/** Rough estimate to guide users: length and character classes, minus repetitions, sequences and common parts. */
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
  // A repeated character or the next one of a sequence adds almost nothing.
  const isFree = (step: number, at: number) => step === 0 || (Math.abs(step) === 1 && step === steps[at - 1]);
  return steps.reduce((bits, step, at) => bits + (isFree(step, at) ? 0.5 : Math.log2(size)), 0);
}

/** Last characters of a random UUID. One in a few thousand has only digits and is drawn again. */
export function suggestPassword(): string {
  for (;;) {
    const password = uuidEnd();
    if (passwordStrength(password) === 'strong') return password;
  }
}

/** `crypto.randomUUID` is missing on pages over plain HTTP. */
function uuidEnd(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562, 5.4: version 4 in the seventh byte, the variant in the ninth.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const uuid = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return uuid.slice(-suggestedPasswordCharacters);
}
