import { decodedText } from './addresses/decoded-text.ts';
import { defaultVhost, isUsableName, parseVhost, type StreamPlace } from './stream-place.ts';

export interface AskedStream {
  readonly place: StreamPlace;
  /** The query with its question mark, or empty. */
  readonly param: string;
}

/** `/{app}/{name}{suffix}?query` of an HTTP request to the stream it asks for; undefined when it names none. */
export function placeOfUrl(url: string, suffix: string): AskedStream | undefined {
  const mark = url.indexOf('?');
  const path = decodedText(mark < 0 ? url : url.slice(0, mark));
  const param = mark < 0 ? '' : url.slice(mark);
  if (path === undefined || !path.endsWith(suffix)) return undefined;
  const slash = path.lastIndexOf('/');
  const app = path.slice(1, slash);
  const name = path.slice(slash + 1, path.length - suffix.length);
  if (!isUsableName(app) || !isUsableName(name)) return undefined;
  return { place: { vhost: parseVhost(param) ?? defaultVhost, app, name }, param };
}
