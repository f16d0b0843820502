import { createHash } from 'node:crypto';
import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Log } from '@weir/plane';
import { bodyStalled, busy, down, type Failure, garbled, type HeaderList, silent } from '../../http/failures.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Reply } from '../../http/reply.ts';
import type { Limits } from '../limits.ts';
import { responseHeaders } from './proxy-headers.ts';

/** Interval of checks while the receiver holds a body up. */
const heldUpMs = 1000;
/** Longest Node timer used here: 2^31 ms would be taken for 1. */
const longestMs = 3_600_000;

/**
 * Minimum average speed of a request body, because a byte now and then satisfies any limit on pauses. Each byte extends
 * the initial time limit, so that a large upload on a slow connection can finish.
 */
class BodyPace {
  readonly #options: BodyPaceOptions;
  readonly #startedMs = performance.now();
  #bytes = 0;
  #timer: NodeJS.Timeout;

  constructor(options: BodyPaceOptions) {
    this.#options = options;
    this.#timer = setTimeout(this.#check, options.limits.bodyMs);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = (): void => {
    const { limits, isHeldUp, onTooSlow } = this.#options;
    const boughtMs = (this.#bytes / limits.minBodyBytesPerSecond) * 1000;
    const leftMs = this.#startedMs + limits.bodyMs + boughtMs - performance.now();
    if (leftMs <= 0 && !isHeldUp()) onTooSlow();
    else this.#timer = setTimeout(this.#check, leftMs > 0 ? Math.min(leftMs, longestMs) : heldUpMs);
  };
}

interface BodyPaceOptions {
  readonly limits: Pick<Limits, 'bodyMs' | 'minBodyBytesPerSecond'>;
  /** The receiver does not take what has come. */
  readonly isHeldUp: () => boolean;
  readonly onTooSlow: () => void;
}

interface PassageOptions {
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly reply: Reply;
  readonly limits: Limits;
  readonly log: Log;
  readonly call: { readonly socketPath: string; readonly headers: HeaderList };
  /** The head of the control plane's answer is here. */
  readonly onAnswer?: (answer: IncomingMessage) => void;
}

/** One request on its way to the control plane and the answer on its way back, with no more of either in memory than a pipe holds. */
export class ProxiedRequest {
  readonly #options: PassageOptions;
  readonly #hasBody: boolean;
  readonly #expectsContinue: boolean;
  #upstream: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #isBodySent = false;
  #timer: NodeJS.Timeout | undefined;
  #bodyPace: BodyPace | undefined;

  constructor(options: PassageOptions) {
    this.#options = options;
    const { headers, httpVersion } = options.req;
    const length = headers['content-length'];
    this.#hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
    this.#expectsContinue = this.#hasBody && headers.expect !== undefined && httpVersion !== '1.0';
  }

  start(agent: Agent): void {
    const { req, res, limits } = this.#options;
    req.on('error', () => this.#over());
    res.on('error', () => this.#over());
    res.once('close', () => this.#over());
    res.setTimeout(limits.stallMs, () => {
      if (res.writableLength > 0) this.#cut('client stopped reading');
    });
    this.#call(agent);
  }

  #call(agent: Agent | false): void {
    const { req, res, call, limits } = this.#options;
    const { method = 'GET', url: path = '/' } = req;
    const upstream = request({ agent, socketPath: call.socketPath, method, path, headers: [...call.headers] });
    this.#upstream = upstream;
    upstream.on('response', (answer) => this.#relayAnswer(answer));
    upstream.on('error', (error: NodeJS.ErrnoException) => this.#upstreamFailed(upstream, error));
    if (this.#expectsContinue) {
      upstream.once('continue', () => {
        res.writeContinue();
        this.#relayBody(upstream);
      });
      upstream.flushHeaders();
      this.#await(limits.answerMs);
    } else if (this.#hasBody) this.#relayBody(upstream);
    else {
      upstream.end();
      this.#await(limits.answerMs);
    }
  }

  /** Evicts this call in favour of another. */
  giveWay(): void {
    this.#options.res.shouldKeepAlive = false;
    this.#fail(busy);
  }

  #relayBody(upstream: ClientRequest): void {
    const { req, limits } = this.#options;
    this.#isBodySent = true;
    req.pipe(upstream);
    const timer = this.#limit(limits.bodyIdleMs, () => this.#fail(upstream.writableNeedDrain ? silent : bodyStalled));
    const pace = new BodyPace({
      limits,
      isHeldUp: () => upstream.writableNeedDrain,
      onTooSlow: () => this.#fail(bodyStalled),
    });
    this.#bodyPace = pace;
    req.on('data', (chunk: Buffer) => {
      timer.refresh();
      pace.count(chunk.length);
    });
    req.once('end', () => {
      pace.stop();
      if (this.#answer) clearTimeout(timer);
      else if (upstream === this.#upstream) this.#await(limits.answerMs);
    });
  }

  #relayAnswer(answer: IncomingMessage): void {
    const { req, res, reply } = this.#options;
    this.#answer = answer;
    this.#options.onAnswer?.(answer);
    // The close event always follows and reports the same.
    answer.on('error', () => undefined);
    if (res.headersSent || res.destroyed) return;
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 599) {
      this.#fail(garbled);
      return;
    }
    // While an early answer goes out, the body that still comes in stays under its own limit.
    if (!this.#hasBody || req.complete) clearTimeout(this.#timer);
    const isBodyRefused = this.#expectsContinue && !this.#isBodySent;
    if (isBodyRefused) clearTimeout(this.#timer);
    // The next bytes may be the body or another request, which cannot be told apart (RFC 9110, 10.1.1).
    reply.head(res, status, [...responseHeaders(answer), ...(isBodyRefused ? ['Connection', 'close'] : [])]);
    // Without a length it is a stream, and its reader may wait for the headers alone.
    if (answer.headers['content-length'] === undefined) res.flushHeaders();
    answer.pipe(res);
    answer.once('close', () => {
      if (!answer.complete) this.#cut('answer ended early');
      else if (isBodyRefused) this.#upstream?.destroy();
    });
  }

  #upstreamFailed(upstream: ClientRequest, error: NodeJS.ErrnoException): void {
    const { req, res, log } = this.#options;
    if (upstream !== this.#upstream || res.destroyed) return;
    if (this.#answer) {
      // An answer that came whole stands, even if the control plane would not hear the rest of the request.
      if (this.#answer.complete) this.#discardBody(upstream);
      else this.#cut('answer ended early');
      return;
    }
    if (res.headersSent) return;
    const isRepeatable = (req.method === 'GET' || req.method === 'HEAD') && !this.#hasBody;
    if (upstream.reusedSocket && isRepeatable) {
      // The control plane closed a kept connection just as we took it: nothing was done, and a new one tells more.
      this.#call(false);
      return;
    }
    log.debug({ reason: error.code }, 'control server unreachable');
    this.#fail(error.code?.startsWith('HPE_') ? garbled : down);
  }

  #fail(failure: Failure): void {
    const { req, res, reply, log } = this.#options;
    this.#leaveUpstream();
    if (failure === silent) log.warn('control server is not responding');
    if (res.headersSent) this.#cut(failure.message);
    else {
      // After half a body the connection cannot carry another request.
      if (failure === bodyStalled || this.#expectsContinue) res.shouldKeepAlive = false;
      const page = failure === down ? startingPageFor(req) : undefined;
      if (page) reply.page(res, failure.status, page);
      else reply.fail(res, failure);
    }
  }

  #leaveUpstream(): void {
    this.#stopTimers();
    const upstream = this.#upstream;
    this.#upstream = undefined;
    if (!upstream) return;
    this.#discardBody(upstream);
    upstream.destroy();
  }

  /** Reads the rest of the body away; left unread it would hold the connection. */
  #discardBody(upstream: ClientRequest): void {
    this.#options.req.unpipe(upstream).resume();
  }

  /** The client left or has its answer: the rest from upstream is dropped. */
  #over(): void {
    const { req, res } = this.#options;
    this.#stopTimers();
    const isBodyOpen = this.#hasBody && !req.readableEnded;
    if (!res.writableFinished || isBodyOpen) this.#leaveUpstream();
  }

  /** Closes the connection, so that a partial answer is not taken for a complete one. */
  #cut(reason: string): void {
    const { req, res, log } = this.#options;
    this.#stopTimers();
    if (res.writableFinished || res.destroyed) return;
    log.debug({ reason }, 'response cut');
    // Without a length and without chunks (HTTP/1.0) only a reset tells a broken end from a good one.
    if (req.httpVersion !== '2.0' && !(req.socket instanceof TLSSocket)) req.socket.resetAndDestroy();
    else res.destroy();
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    this.#bodyPace?.stop();
  }

  #await(ms: number): void {
    this.#limit(ms, () => this.#fail(silent));
  }

  #limit(ms: number, onTime: () => void): NodeJS.Timeout {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTime, ms);
    return this.#timer;
  }
}

const texts = {
  en: {
    title: 'The server is starting',
    text: 'This page opens automatically in a moment. Live streams continue.',
  },
  zh: {
    title: '服务器正在启动',
    text: '请稍候，本页会自动打开。正在进行的直播不受影响。',
  },
} as const;

/** Uses only system fonts and colours, because the server of other files is away. */
const style =
  ':root{color-scheme:light dark}body{display:grid;min-height:90vh;margin:0;place-items:center;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:32rem;padding:1.5rem;text-align:center}h1{font-size:1.25rem}';

/** Requests the same address until it succeeds. A reload of the page would make screen readers start again. */
const script =
  'const ask=()=>fetch(location.href,{method:"HEAD",redirect:"manual",cache:"no-store"})' +
  '.then(({status})=>status===503?again():location.reload(),again);const again=()=>setTimeout(ask,1000);again()';
const scriptHash = createHash('sha256').update(script).digest('base64');

/** Page shown while the control plane is down; it reloads automatically. */
interface StartingPage {
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Page for a browser that opens an address; undefined for programs, which get the usual answer. */
function startingPageFor({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): StartingPage | undefined {
  const isPage = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html');
  if (!isPage) return undefined;
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? pages.zh : pages.en;
}

const policy =
  `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; ` +
  "connect-src 'self'; frame-ancestors 'none'";

function pageIn(language: keyof typeof texts): StartingPage {
  const { title, text } = texts[language];
  const body = Buffer.from(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<noscript><meta http-equiv="refresh" content="2"></noscript>' +
      `<title>${title}</title><style>${style}</style></head>` +
      `<body><main><h1>${title}</h1><p>${text}</p></main><script>${script}</script></body></html>`,
  );
  return {
    body,
    headers: [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Content-Security-Policy',
      policy,
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
      ...(down.headers ?? []),
    ],
  };
}

const pages = { en: pageIn('en'), zh: pageIn('zh') } as const;
