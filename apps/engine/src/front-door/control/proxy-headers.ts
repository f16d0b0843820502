import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { formatConnection, privateHeaders } from '@weir/engine-api';
import { type Caller, isForwardingHeader, type RequestFacts } from '../../http/caller.ts';
import type { HeaderList } from '../../http/failures.ts';

/** Common part of both ways to read a message. */
type Message = Pick<IncomingMessage, 'rawHeaders' | 'headers'>;

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** A client may name headers in Connection to have them dropped, but not those that frame or address the message. */
const neverNamed = new Set(['host', 'content-length']);

/** Headers accepted from a trusted proxy beside client, protocol and host, which we write ourselves. */
const keptFromTrusted = new Set(['x-real-host', 'x-forwarded-port']);

/** The front door writes these itself; a second copy would make browsers refuse the answer. */
const ownResponseHeaders = new Set([
  'server',
  'access-control-allow-origin',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-allow-credentials',
  // No cookie of ours exists, and none can begin to exist by accident.
  'set-cookie',
]);

/** Headers for the control plane: the client's own, and exactly one statement of ours about the client. */
export function requestHeaders(req: RequestFacts, caller: Caller): HeaderList {
  const headers = ['Host', req.headers.host || 'localhost'];
  headers.push('X-Forwarded-For', caller.address, 'X-Forwarded-Proto', caller.proto, 'X-Forwarded-Host', caller.host);
  headers.push(privateHeaders.peer, caller.isDirect ? 'direct' : 'proxied');
  headers.push(privateHeaders.connection, connectionOf(req.socket));
  if (req.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  else if (req.headers['content-length'] === undefined && mayHaveBody(req.method)) headers.push('Content-Length', '0');
  const dropped = namedInConnection(req);
  const theirs = copyHeaders(req, (name) => {
    if (name === 'host' || name.startsWith('x-weir-')) return false;
    if (isForwardingHeader(name)) return caller.isPeerTrusted && keptFromTrusted.has(name);
    // HTTP/1.0 has no interim answer, which Expect asks for.
    return !dropped.has(name) && (name !== 'expect' || req.httpVersion !== '1.0');
  });
  return [...headers, ...theirs];
}

export function responseHeaders(answer: Message): HeaderList {
  const dropped = namedInConnection(answer);
  return copyHeaders(
    answer,
    (name) => !ownResponseHeaders.has(name) && !name.startsWith('x-weir-') && !dropped.has(name),
  );
}

/** Both ends, by which the control plane may find out who on this machine holds the other one. */
function connectionOf({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket): string {
  return formatConnection({
    peer: { address: remoteAddress, port: remotePort },
    own: { address: localAddress, port: localPort },
  });
}

/** Left to itself, Node announces a chunked body for these methods even when there is none. */
function mayHaveBody(method: string | undefined): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function copyHeaders(message: Message, isKept: (name: string) => boolean): string[] {
  const copy: string[] = [];
  const raw = message.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const lower = name.toLowerCase();
    if (!hopByHop.has(lower) && isKept(lower)) copy.push(name, raw[index + 1] ?? '');
  }
  return copy;
}

const nothingNamed: ReadonlySet<string> = new Set();

function namedInConnection({ headers: { connection } }: Message): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive') return nothingNamed;
  const names = connection.toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()).filter((name) => !neverNamed.has(name)));
}
