import { hash } from 'node:crypto';

/** Entity tag of a changing text: equal texts have equal tags, also after a restart. */
export function tagOfText(text: Buffer): string {
  return `"${hash('sha1', text, 'base64url').slice(0, 16)}"`;
}

/** Entity tag of immutable bytes, made of their length. */
export function tagOfPiece(bytes: number): string {
  return `"${bytes.toString(16)}"`;
}

/** Reads If-None-Match (RFC 9110, 13.1.2): whether the client has this already. */
export function hasTag(noneMatch: string | undefined, tag: string | undefined): boolean {
  if (noneMatch === undefined || tag === undefined) return false;
  if (noneMatch.trim() === '*') return true;
  return noneMatch.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}
