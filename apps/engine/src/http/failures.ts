import { isHost, type RequestFacts } from './caller.ts';

/** Names and values in turn, as `writeHead` takes them: keeps order and lets a name occur twice. */
export type HeaderList = readonly string[];

/** Error answer. */
export interface Failure {
  readonly status: number;
  /** Error code that foreign clients check. */
  readonly code: number;
  readonly message: string;
  readonly headers?: HeaderList;
}

export const allowedMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export const wrongMethod: Failure = {
  status: 405,
  code: 1004,
  message: 'this method is not supported',
  headers: ['Allow', allowedMethods.join(', ')],
};
export const notPublished: Failure = { status: 404, code: 1003, message: 'no such stream is live' };
export const bodyStalled: Failure = {
  status: 408,
  code: 1004,
  message: 'the rest of the request did not arrive in time',
};
export const broken: Failure = { status: 500, code: 1, message: 'the server failed to respond' };
export const garbled: Failure = { status: 502, code: 1, message: 'the control server sent an invalid response' };
export const silent: Failure = { status: 504, code: 1, message: 'the control server did not respond in time' };
export const down: Failure = {
  status: 503,
  code: 1,
  message: 'the control server is starting or restarting, try again shortly',
  headers: ['Retry-After', '1'],
};
export const busy: Failure = {
  status: 503,
  code: 1,
  message: 'the server is busy, try again shortly',
  headers: ['Retry-After', '1'],
};

interface RefusedClient {
  readonly message: string;
  readonly isBusy?: boolean;
  readonly byRule?: string | undefined;
}

/** Answer to a viewer or publisher that was refused. */
export function refusedFailure({ message, isBusy, byRule }: RefusedClient): Failure {
  if (isBusy) return { status: 503, code: 1, message, headers: ['Retry-After', '5'] };
  return { status: 403, code: 3000, message, ...(byRule !== undefined && { headers: [refusalHeader, byRule] }) };
}

/** Sends the reason of a refusal to players, which show it in the viewer's language. */
const refusalHeader = 'X-Weir-Refusal';

export const requestLate: Failure = { status: 408, code: 1004, message: 'the request did not arrive in time' };
const headersTooLarge: Failure = { status: 431, code: 1004, message: 'the request headers are too large' };

/** Far above any browser. Receivers have a limit, too, and drop further headers silently. */
const maxHeaders = 500;

export const badRequest = (message: string): Failure => ({ status: 400, code: 1004, message });

/**
 * Why a request that the parser let through is still not served: what two servers could read differently is the raw
 * material of request smuggling.
 */
export function findRefusal(req: Omit<RequestFacts, 'socket'>): Failure | undefined {
  if (!['1.0', '1.1', '2.0'].includes(req.httpVersion)) return badRequest('this version of HTTP is not supported');
  if (req.rawHeaders.length > 2 * maxHeaders) return headersTooLarge;
  const hosts = req.headersDistinct.host ?? [];
  const [host] = hosts;
  if (hosts.length > 1) return badRequest('the request has more than one Host header');
  if (host === undefined && req.httpVersion !== '1.0') return badRequest('the request has no Host header');
  if (host !== undefined && !isHost(host)) return badRequest('the Host header is not valid');
  const { expect, 'transfer-encoding': coding, 'content-length': length } = req.headers;
  if (coding !== undefined) {
    if (req.httpVersion === '1.0' || length !== undefined)
      return badRequest('the length of the request body is ambiguous');
    if (coding.toLowerCase() !== 'chunked') return badRequest('only chunked transfer coding is supported');
  }
  if (expect !== undefined && req.httpVersion !== '1.0' && expect.toLowerCase() !== '100-continue')
    return { status: 417, code: 1004, message: 'this expectation cannot be met' };
  return undefined;
}

/** Answer to an unreadable request; undefined for anything but HTTP: a broken handshake, a reset. */
export function parseFailure(error: NodeJS.ErrnoException): Failure | undefined {
  const { code = '' } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestLate;
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge;
  if (code === 'HPE_INVALID_METHOD' && beginsLikeRequest(error)) return wrongMethod;
  return code.startsWith('HPE_') ? badRequest('the request is not valid HTTP') : undefined;
}

/** The parser reports unknown methods like noise. */
function beginsLikeRequest(error: Error): boolean {
  if (!('rawPacket' in error && Buffer.isBuffer(error.rawPacket))) return false;
  return /^[A-Z][A-Z_-]{0,30} \S+ HTTP\/1\.[01]\r?\n/.test(error.rawPacket.toString('latin1', 0, 4096));
}
