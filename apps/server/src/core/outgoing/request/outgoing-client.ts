import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { https } from '../../secure-modules.ts';
import { connectionError, OutgoingError } from '../outgoing-error.ts';
import { type CheckedTarget, checkTarget, type OwnNetwork, parseTarget, type Resolve } from '../outgoing-target.ts';
import { connectionPin, KeptConnections } from './kept-connections.ts';
import { flow, type OutgoingStream } from './outgoing-stream.ts';
import { type OutgoingUpload, pour, Silence } from './outgoing-upload.ts';
import { readAnswer, receiveResponse } from './receive-response.ts';

/** Decisions that every caller must make explicitly; there are no defaults to forget. */
export interface OutgoingPolicy {
  readonly ownNetwork: OwnNetwork;
  readonly verifiesTls: boolean;
  /** Number of redirects to follow; 0 refuses them. Each target is checked like an address that nobody typed. */
  readonly redirects: number;
  /** From the first question to the last byte, redirects included. */
  readonly withinMs: number;
  readonly answerBytes: number;
  /** True for requests in sequence, which may reuse a kept connection. By default each has its own. */
  readonly keepsConnection?: boolean;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Client for all requests of the control plane to other servers. */
export class OutgoingClient {
  readonly #resolve: Resolve | undefined;
  readonly #kept = new KeptConnections();

  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  /** Any status is an answer; throws `OutgoingError` when there is none. */
  async send(request: OutgoingRequest, policy: OutgoingPolicy, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const deadline = AbortSignal.timeout(policy.withinMs);
    const ended = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      return await this.#follow(request, policy, ended);
    } catch (error) {
      if (signal?.aborted) throw new OutgoingError('stopped', 'the server is stopping', { cause: error });
      if (!deadline.aborted) throw connectionError(error);
      const fact = String(Math.round(policy.withinMs / 100) / 10);
      throw new OutgoingError('timeout', `no response within ${fact} seconds`, { fact, cause: error });
    }
  }

  /** Sends a body that is read meanwhile. `withinMs` is how long nothing may move, not how long it takes; redirects are refused. */
  async upload(request: OutgoingUpload, policy: OutgoingPolicy, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const silence = new Silence(policy.withinMs);
    const ended = signal ? AbortSignal.any([silence.signal, signal]) : silence.signal;
    try {
      const { url, headers, bytes } = request;
      const ask = { url, method: 'PUT', headers: { ...headers, 'content-length': String(bytes) } } as const;
      const target = await unlessEnded(checkTarget(parseTarget(url), policy.ownNetwork, this.#resolve), ended);
      return await exchange(target, ask, policy, ended, {
        begin: (outgoing) => void pour(request, outgoing, silence),
      });
    } catch (error) {
      if (signal?.aborted) throw new OutgoingError('stopped', 'the upload was stopped', { cause: error });
      if (!silence.signal.aborted) throw connectionError(error);
      const fact = String(Math.round(policy.withinMs / 1000));
      throw new OutgoingError('timeout', `no data for ${fact} seconds`, { fact, cause: error });
    } finally {
      silence.end();
    }
  }

  /**
   * Streams an answer without a known end. `withinMs` limits silence, `signal` the total time; redirects are refused. The connection ends
   * when the reader stops.
   */
  async stream(request: OutgoingRequest, policy: OutgoingPolicy, signal: AbortSignal): Promise<OutgoingStream> {
    const silence = new Silence(policy.withinMs);
    const ended = AbortSignal.any([silence.signal, signal]);
    const failed = (error: unknown) => {
      silence.end();
      if (signal.aborted) return new OutgoingError('stopped', 'the request was stopped', { cause: error });
      if (!silence.signal.aborted) return connectionError(error);
      const fact = String(Math.round(policy.withinMs / 100) / 10);
      return new OutgoingError('timeout', `no data for ${fact} seconds`, { fact, cause: error });
    };
    try {
      const target = await unlessEnded(checkTarget(parseTarget(request.url), policy.ownNetwork, this.#resolve), ended);
      const answer = await answerTo(target, request, policy, ended, this.#how(policy));
      const { statusCode: status = 0, headers } = answer;
      if (isRedirect(status)) {
        answer.destroy();
        throw refusedRedirect(status);
      }
      return { status, headers, body: flow(answer, { mostBytes: policy.answerBytes, silence, failed }) };
    } catch (error) {
      throw failed(error);
    }
  }

  #how({ keepsConnection }: OutgoingPolicy): { readonly kept?: KeptConnections } {
    return keepsConnection ? { kept: this.#kept } : {};
  }

  async #follow(request: OutgoingRequest, policy: OutgoingPolicy, ended: AbortSignal): Promise<OutgoingAnswer> {
    let url = parseTarget(request.url);
    let { ownNetwork } = policy;
    let ask = request;
    for (let hops = 0; ; hops++) {
      const target = await unlessEnded(checkTarget(url, ownNetwork, this.#resolve), ended);
      const answer = await exchange(target, ask, policy, ended, this.#how(policy));
      const { location } = answer.headers;
      if (!isRedirect(answer.status) || location === undefined) return answer;
      if (hops >= policy.redirects) throw refusedRedirect(answer.status);
      const next = parseTarget(location, url.href);
      // Credentials for one server are not sent to another.
      if (next.origin !== url.origin) ask = { ...ask, headers: withoutCredentials(ask.headers) };
      if (answer.status === 303) ask = { url: ask.url, method: 'GET', headers: ask.headers ?? {} };
      if (ownNetwork === 'typed') ownNetwork = 'never';
      url = next;
    }
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function refusedRedirect(status: number): OutgoingError {
  const fact = String(status);
  return new OutgoingError('redirect', `the other server responded with ${fact}, redirects are not followed`, { fact });
}

function withoutCredentials(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
}

/** Looking a name up cannot be called off, only no longer waited for. */
function unlessEnded<T>(work: Promise<T>, ended: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(ended.reason);
    if (ended.aborted) return onAbort();
    ended.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', onAbort));
  });
}

interface How {
  /** Writes the body; by itself that of the request. */
  readonly begin?: (outgoing: ClientRequest) => void;
  /** Without these it is on a connection of its own. */
  readonly kept?: KeptConnections | undefined;
}

/** Sends a request and reads its whole answer. */
async function exchange(
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

/** Sends a request on a connection to one of the checked addresses only. */
function answerTo(
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
    ...connectionPin(target),
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
    receiveResponse(outgoing, {
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
