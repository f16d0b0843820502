import { decodedText } from '@weir/streams';

/** The path of a request target, decoded for judging it, and the query as it came, without its question mark. */
interface Target {
  readonly path: string;
  readonly query: string;
}

/** Limit of nested encodings. */
const maxDecodings = 4;

/**
 * Reads an origin-form target, or undefined when nobody should act on it: another form, an invalid escape, a control
 * character, a backslash, a fragment, or a `..` segment however deeply it is encoded.
 */
export function readTarget(target: string): Target | undefined {
  if (!target.startsWith('/') || target.includes('#')) return undefined;
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const path = decodedText(rawPath);
  if (path === undefined || hasControl(query) || !isSafe(path)) return undefined;
  return { path, query };
}

function isSafe(path: string): boolean {
  let layer: string | undefined = path;
  for (let depth = 0; depth < maxDecodings && layer !== undefined; depth++) {
    if (hasControl(layer) || layer.includes('\\') || layer.split('/').includes('..')) return false;
    const next: string | undefined = decodedText(layer);
    if (next === layer) return true;
    layer = next;
  }
  // A text that no longer decodes (`100%25` holds a plain percent sign) is final; one that still does is a disguise.
  return layer === undefined;
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}
