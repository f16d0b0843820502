import type { CallerReader, RequestFacts } from '../../http/caller.ts';
import { formatHeaders } from '../../http/reply.ts';
import type { HeadFields } from '../fast-path/request-head.ts';
import { type Bearer, parseBearer } from './known-bearers.ts';
import type { PlainExchange } from './plain-call.ts';
import { requestHeaders } from './proxy-headers.ts';

/** Facts of a plain call beyond its target and body. */
interface PlainRequest {
  /** Client address. */
  readonly address: string;
  readonly bearer: Bearer | undefined;
  /** The header fields for the control plane, as they go over the wire. */
  readonly fields: string;
}

/** By the fields of a connection, which has them for itself: a program sends the same ones with every call. */
const known = new WeakMap<HeadFields, PlainRequest>();

/** The same words as of any other request (`requestHeaders`), put together once for all calls that say the same. */
export function toPlainRequest({ fields, socket }: PlainExchange, callers: CallerReader): PlainRequest {
  let request = known.get(fields);
  if (!request) {
    const facts = factsOf(fields, socket);
    const caller = callers.read(facts);
    request = {
      address: caller.address,
      bearer: parseBearer(fields.get('authorization')),
      fields: formatHeaders(requestHeaders(facts, caller)),
    };
    known.set(fields, request);
  }
  return request;
}

function factsOf(fields: HeadFields, socket: PlainExchange['socket']): RequestFacts {
  const rawHeaders = fields.raw();
  const headers: Record<string, string> = {};
  const headersDistinct: Record<string, string[]> = {};
  for (const name of new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((given) => given.toLowerCase()))) {
    headersDistinct[name] = fields.all(name);
    headers[name] = fields.get(name) ?? '';
  }
  return { method: 'POST', httpVersion: '1.1', headers, headersDistinct, rawHeaders, socket };
}
