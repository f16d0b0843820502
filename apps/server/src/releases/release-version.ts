const form = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;

/** A version that may become part of a file name and an address. */
export function isVersion(text: string): boolean {
  return form.test(text) && !text.startsWith('v');
}

/** Previews come before their release; what follows a `+` is not counted. */
export function isOlder(version: string, other: string): boolean {
  const [own, their] = [partsOf(version), partsOf(other)];
  for (const [index, number] of own.numbers.entries()) {
    const difference = number - (their.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  if (own.preview === their.preview) return false;
  if (own.preview === '' || their.preview === '') return own.preview !== '';
  return comparePreviews(own.preview, their.preview) < 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly preview: string } {
  const [, major = '0', minor = '0', patch = '0', preview = ''] = form.exec(version) ?? [];
  return { numbers: [Number(major), Number(minor), Number(patch)], preview };
}

/** By the rules of semantic versions: numbers by size and before words, fewer parts before more. */
function comparePreviews(one: string, other: string): number {
  const [own, their] = [one.split('.'), other.split('.')];
  for (const [index, part] of own.entries()) {
    const theirs = their[index];
    if (theirs === undefined) return 1;
    const [isNumber, isTheirs] = [/^\d+$/.test(part), /^\d+$/.test(theirs)];
    if (isNumber !== isTheirs) return isNumber ? -1 : 1;
    const difference = isNumber ? Number(part) - Number(theirs) : part < theirs ? -1 : part > theirs ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return own.length - their.length;
}
