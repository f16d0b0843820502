import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { CheckedTarget } from '../outgoing-target.ts';
import type { OutgoingAnswer, OutgoingPolicy, OutgoingRequest } from './outgoing-client.ts';
import { readAnswer, takeAnswer } from './take-answer.ts';

/** One request on a connection of its own, with its whole answer. */
export async function exchange(
  target: CheckedTarget,
  request: OutgoingRequest,
  policy: OutgoingPolicy,
  signal: AbortSignal,
  begin?: (outgoing: ClientRequest) => void,
): Promise<OutgoingAnswer> {
  const answer = await answerTo(target, request, policy, signal, begin);
  // The length of an answer to HEAD is that of something else.
  const body = await readAnswer(answer, request.method === 'HEAD' ? Number.POSITIVE_INFINITY : policy.answerBytes);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

/** What is answered first, on a connection to one of the checked addresses and no other. */
export function answerTo(
  { url, hostname, addresses }: CheckedTarget,
  { method, headers, body }: OutgoingRequest,
  { verifiesTls }: OutgoingPolicy,
  signal: AbortSignal,
  begin: (outgoing: ClientRequest) => void = (outgoing) => outgoing.end(body),
): Promise<IncomingMessage> {
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
    agent: false,
    lookup: pinned,
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    const outgoing =
      url.protocol === 'https:'
        ? requestHttps({
            ...common,
            rejectUnauthorized: verifiesTls,
            ...(isIP(hostname) === 0 && { servername: hostname }),
          })
        : requestHttp(common);
    // An answer that comes before the whole body went out, a refusal for example, counts more than how the connection then ends.
    takeAnswer(outgoing, { take: resolve, fail: reject });
    begin(outgoing);
  });
}
