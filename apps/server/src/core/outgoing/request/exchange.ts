import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { https } from '../../secure-modules.ts';
import type { OutgoingError } from '../outgoing-error.ts';
import type { CheckedTarget } from '../outgoing-target.ts';
import { type KeptConnections, pinOf } from './kept-connections.ts';
import type { OutgoingAnswer, OutgoingPolicy, OutgoingRequest } from './outgoing-client.ts';
import { readAnswer, takeAnswer } from './take-answer.ts';

interface How {
  /** Writes the body; by itself that of the request. */
  readonly begin?: (outgoing: ClientRequest) => void;
  /** Without these it is on a connection of its own. */
  readonly kept?: KeptConnections | undefined;
}

/** One request, with its whole answer. */
export async function exchange(
  target: CheckedTarget,
  request: OutgoingRequest,
  policy: OutgoingPolicy,
  signal: AbortSignal,
  how: How = {},
): Promise<OutgoingAnswer> {
  const answer = await answerTo(target, request, policy, signal, how);
  // The length of an answer to HEAD is that of something else.
  const body = await readAnswer(answer, request.method === 'HEAD' ? Number.POSITIVE_INFINITY : policy.answerBytes);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

/** What is answered first, on a connection to one of the checked addresses and no other. */
export function answerTo(
  target: CheckedTarget,
  request: OutgoingRequest,
  policy: OutgoingPolicy,
  signal: AbortSignal,
  { begin = (outgoing) => outgoing.end(request.body), kept }: How = {},
): Promise<IncomingMessage> {
  const { url, hostname, addresses } = target;
  const { method, headers, body } = request;
  const { verifiesTls } = policy;
  const pinned: LookupFunction = (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else if (first) done(null, first.address, first.family);
  };
  const common = {
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method,
    auth: url.username === '' ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
    headers: {
      host: url.host,
      'accept-encoding': 'identity',
      ...headers,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    agent: kept?.agentOf(target) ?? false,
    ...pinOf(target),
    lookup: pinned,
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    const outgoing =
      url.protocol === 'https:'
        ? https().request({
            ...common,
            rejectUnauthorized: verifiesTls,
            ...(isIP(hostname) === 0 && { servername: hostname }),
          })
        : requestHttp(common);
    // An answer that comes before the whole body went out, a refusal for example, counts more than how the connection then ends.
    takeAnswer(outgoing, {
      take: resolve,
      fail(error) {
        // The server had closed a kept connection before it saw the question (RFC 9112, 9.3.1): asked on a new one, it is the first time.
        const isStale = kept && outgoing.reusedSocket && isClosed(error) && !signal.aborted;
        if (isStale) answerTo(target, request, policy, signal, { begin }).then(resolve, reject);
        else reject(error);
      },
    });
    begin(outgoing);
  });
}

function isClosed({ fact }: OutgoingError): boolean {
  return fact === 'ECONNRESET' || fact === 'EPIPE';
}
