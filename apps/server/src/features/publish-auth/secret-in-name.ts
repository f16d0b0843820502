import { sameText } from '../../core/same-text.ts';

/** Separators of name parts. */
const separators = '-_.~+:/,;=@';

/**
 * Checks that the secret is a separate part of a stream's name, for programs that cannot send parameters:
 * `show-SECRET`, `SECRET.cam`, `a_SECRET_b`, or the whole name. Each side of it is the end of the name, or a separator
 * with more text beyond it. A match inside a longer word is chance, and a separator at the very start or end of the
 * name makes it another text than the agreed secret.
 */
export function isPartOfName(name: string, secret: string): boolean {
  let isFound = false;
  for (let at = 0; at + secret.length <= name.length; at++) {
    const isPart =
      isEdge(name.slice(0, at).at(-1), at > 1) &&
      isEdge(name[at + secret.length], at + secret.length + 1 < name.length);
    // Every place is compared: how long it takes tells about the name, which its sender knows, and not about the secret.
    if (isPart && sameText(name.slice(at, at + secret.length), secret)) isFound = true;
  }
  return isFound;
}

function isEdge(sign: string | undefined, hasBeyond: boolean): boolean {
  return sign === undefined || (separators.includes(sign) && hasBeyond);
}
