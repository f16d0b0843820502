import { expect, it } from 'vitest';
import { passwordStrength, suggestPassword } from './password-strength.ts';

it.each([
  ['', 'short'],
  ['1234567', 'short'],
  ['12345678', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['password', 'weak'],
  ['Password1', 'weak'],
  ['admin123456', 'weak'],
  ['abcdefghijkl', 'weak'],
  ['kelmorwu9', 'fair'],
  ['\u4eca\u65e5\u306f\u3044\u3044\u5929\u6c17\u3067\u3059\u306d', 'fair'],
  ['nine herons cross the river', 'strong'],
] as const)('rates %j as %s', (text, strength) => expect(passwordStrength(text)).toBe(strength));

it('suggests strong passwords', () => {
  for (let n = 0; n < 50; n++) expect(passwordStrength(suggestPassword())).toBe('strong');
});
