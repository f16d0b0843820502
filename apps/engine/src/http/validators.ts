import { hash } from 'node:crypto';

/** Entity tag of a text that changes: the same text has the same tag, also after a restart. */
export function tagOfText(text: Buffer): string {
  return `"${hash('sha1', text, 'base64url').slice(0, 16)}"`;
}

/** Entity tag of bytes whose address is never used for others: their length is enough. */
export function tagOfPiece(bytes: number): string {
  return `"${bytes.toString(16)}"`;
}

/** Reads If-None-Match (RFC 9110, 13.1.2): whether the client has this already. */
export function hasTag(noneMatch: string | undefined, tag: string | undefined): boolean {
  if (noneMatch === undefined || tag === undefined) return false;
  if (noneMatch.trim() === '*') return true;
  return noneMatch.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}
