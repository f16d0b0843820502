import { sameText } from '../../core/same-text.ts';

/** Separators of name parts. */
const separators = '-_.~+:/,;=@';

/**
 * Whether the secret is a part of its own of a stream's name, for programs that cannot send parameters: `show-SECRET`,
 * `SECRET.cam`, `a_SECRET_b`, or the whole name. Before and behind it there is the end of the name, or a separator with
 * something beyond it. Inside a longer word it is there by chance, and a separator that separates nothing makes it another
 * text than the one that was agreed on.
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
