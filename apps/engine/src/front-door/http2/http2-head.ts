import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { RequestFacts } from '../../http/caller.ts';

/** Converts the head of a request to the form of HTTP/1.1, which the rest of the engine expects. */
export interface Http2Head extends RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly socket: TLSSocket;
}

interface Source {
  /** Headers as merged by Node, with pseudo-header fields. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly raw: readonly string[];
  readonly hasBody: boolean;
  readonly socket: TLSSocket;
}

/** A request names its host in `:authority` or in `Host` (RFC 9113, 8.3.1). Two that differ count as two hosts, which is refused. */
export function readHttp2Head({ headers: given, raw, hasBody, socket }: Source): Http2Head {
  const hosts = new Set<string>();
  const rawHeaders: string[] = [];
  const headersDistinct: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    if (name === ':authority' || name === 'host') hosts.add(value);
    if (name.startsWith(':') || name === 'host') continue;
    rawHeaders.push(name, value);
    const known = headersDistinct[name];
    if (known) known.push(value);
    else headersDistinct[name] = [value];
  }
  const headers: IncomingHttpHeaders = {};
  for (const name in given) if (!name.startsWith(':')) headers[name] = given[name];
  const [host] = hosts;
  if (host !== undefined) {
    headers.host = host;
    headersDistinct.host = [...hosts];
    rawHeaders.unshift('host', host);
  }
  // Bodies need no length in HTTP/2; they are forwarded in chunks.
  if (hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  const { ':method': method = '', ':path': url = '' } = given;
  return {
    method: String(method),
    url: String(url),
    httpVersion: '2.0',
    headers,
    headersDistinct,
    rawHeaders,
    socket,
  };
}
