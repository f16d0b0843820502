import { defaultVhost, type StreamPlace } from './stream-key.ts';

const longestName = 512;

/** Names come from strangers and become files and addresses: what could mean something there is refused. */
export function isPlaceName(name: string): boolean {
  if (name.length === 0 || name.length > longestName) return false;
  if (name.split('/').some((level) => level === '' || level === '.' || level === '..')) return false;
  for (let index = 0; index < name.length; index++) {
    const unit = name.charCodeAt(index);
    // Control characters, DEL, and the backslash that some systems take for a slash.
    if (unit < 0x20 || unit === 0x7f || unit === 0x5c) return false;
  }
  return true;
}

/** `/{app}/{name}{suffix}?query` of an HTTP request to the stream it asks for; undefined when it names none. */
export function placeOfUrl(url: string, suffix: string): { place: StreamPlace; param: string } | undefined {
  const mark = url.indexOf('?');
  const path = decode(mark < 0 ? url : url.slice(0, mark));
  const param = mark < 0 ? '' : url.slice(mark);
  if (path === undefined || !path.endsWith(suffix)) return undefined;
  const slash = path.lastIndexOf('/');
  const app = path.slice(1, slash);
  const name = path.slice(slash + 1, path.length - suffix.length);
  if (!isPlaceName(app) || !isPlaceName(name)) return undefined;
  return { place: { vhost: new URLSearchParams(param).get('vhost') || defaultVhost, app, name }, param };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
