import { expect, it } from 'vitest';
import { isPartOfName } from './secret-in-name.ts';

const separators = [...'-_.~+:/,;=@'];
/** Other characters, including letters of other scripts. */
const others = [...'azAZ09é秘ß%&?#!"\'()*<>[]{}|^`$ ', '\u0000', '\u00a0', '\u200b', '😀'];

/** The rule once more, the slow way: cut at every separator, and see whether pieces in a row are the secret. */
function isPart(name: string, secret: string): boolean {
  const pieces = name.split(/(?<=[-_.~+:/,;=@])|(?=[-_.~+:/,;=@])/);
  return pieces.some((_, first) =>
    pieces.slice(first).some((__, count) => {
      const last = first + count;
      const isSplit = (at: number, beyond: number) =>
        pieces[at] === undefined || (separators.includes(pieces[at]) && pieces[beyond] !== undefined);
      return (
        pieces.slice(first, last + 1).join('') === secret &&
        isSplit(first - 1, first - 2) &&
        isSplit(last + 1, last + 2)
      );
    }),
  );
}

it.each(['tea4twos', 'a-longer_secret.of~mine', '--------', '-x-x-x-x-'])(
  'finds the secret %s beside separators and nowhere else',
  (secret) => {
    expect(isPartOfName(secret, secret)).toBe(true);
    for (const sign of separators) {
      expect(isPartOfName(`a${sign}${secret}`, secret)).toBe(true);
      expect(isPartOfName(`${secret}${sign}a`, secret)).toBe(true);
      expect(isPartOfName(`a${sign}${secret}${sign}b`, secret)).toBe(true);
    }
    for (const sign of others) {
      expect([sign, isPartOfName(`a${sign}${secret}`, secret)]).toEqual([sign, false]);
      expect([sign, isPartOfName(`${secret}${sign}a`, secret)]).toEqual([sign, false]);
      for (const separator of separators) {
        expect(isPartOfName(`a${separator}${secret}${sign}`, secret)).toBe(false);
        expect(isPartOfName(`${sign}${secret}${separator}a`, secret)).toBe(false);
      }
    }
  },
);

it('agrees with the rule spelled out, for every short name', () => {
  const signs = ['a', 'b', '-', '.'];
  for (const secret of ['ab', 'a-b', 'a', '-', 'a.']) {
    for (let length = 0; length <= 6; length++) {
      for (let n = 0; n < signs.length ** length; n++) {
        const name = Array.from({ length }, (_, at) => signs[Math.floor(n / signs.length ** at) % signs.length]).join(
          '',
        );
        expect([name, secret, isPartOfName(name, secret)]).toEqual([name, secret, isPart(name, secret)]);
      }
    }
  }
});
