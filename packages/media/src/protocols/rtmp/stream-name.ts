import { defaultVhost, isUsableName, parseVhost } from '@weir/streams';

export interface AppAddress {
  readonly app: string;
  readonly tcUrl: string;
  /** Query of the app or of the tcUrl with its `?`; empty without one. */
  readonly param: string;
  readonly vhost: string;
}

export interface StreamAddress {
  readonly name: string;
  readonly param: string;
  readonly vhost: string;
}

/** `rtmp://host:port/app/of/levels?query`, with anything before the host. */
const tcUrlPattern = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*\/(.*)$/is;

/**
 * Parses vhost and app from the `connect` command. Undefined when the app is no usable name. Some clients leave the app
 * out and name it in the tcUrl only.
 */
export function parseApp(app: string, tcUrl: string): AppAddress | undefined {
  if (tcUrl.length > 4096 || app.length > 4096) return undefined;
  const [path, query] = splitQuery(app === '' ? (tcUrlPattern.exec(tcUrl)?.[1] ?? '') : app);
  const name = trimSlashes(path);
  if (!isUsableName(name)) return undefined;
  const [, tcQuery] = splitQuery(tcUrl);
  const param = query === '' ? tcQuery : query;
  return { app: name, tcUrl, param, vhost: parseVhost(query) ?? parseVhost(tcQuery) ?? defaultVhost };
}

/** The stream a `publish` or `play` command names; its own query wins over that of the connection. */
export function parseStreamName(value: string, connection: AppAddress): StreamAddress | undefined {
  if (value.length > 4096) return undefined;
  const [path, query] = splitQuery(value);
  const name = trimSlashes(path);
  if (!isUsableName(name)) return undefined;
  return { name, param: query === '' ? connection.param : query, vhost: parseVhost(query) ?? connection.vhost };
}

function splitQuery(value: string): readonly [path: string, query: string] {
  const at = value.indexOf('?');
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at)];
}

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}
