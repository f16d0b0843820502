import type { NetworkLimits } from '../hub/network-shares.ts';

/** Time and count limits. Tests shorten them; operators have no reason to. */
export interface Limits {
  /** A client has this long to send its request line and headers. */
  readonly headersMs: number;
  /** An idle connection stays open this long: above the 60 s at which common proxies give up theirs. */
  readonly keepAliveMs: number;
  /** Longest pause inside a request body. */
  readonly bodyIdleMs: number;
  /** Time for a body, extended by a second for each so many received bytes. Large bodies may take hours. */
  readonly bodyMs: number;
  readonly minBodyBytesPerSecond: number;
  /** The control plane has this long to begin its answer once it has the request. */
  readonly answerMs: number;
  /** A client that takes none of the bytes waiting for it is cut after this long. */
  readonly stallMs: number;
  /** Time for which the rest of an unwanted body is read away, so that the client sees the answer and not a reset. */
  readonly lingerMs: number;
  /** Running responses get this long when the front door closes. */
  readonly closeMs: number;
  readonly maxHeaderBytes: number;
  /** Limit over all ports. At the limit the connection that has been idle longest is closed for a new one. */
  readonly maxConnections: number;
  /** Requests a client may send ahead on one connection without waiting for answers. */
  readonly maxPipelined: number;
  /** Requests at the control plane. Each has its own connection, because in a queue slow ones would delay the others. */
  readonly maxUpstream: number;
  /** The same for signed-in clients, reserved for them. */
  readonly reservedUpstream: number;
  /** Requests that strangers of one network may have at the control plane. */
  readonly perNetwork: NetworkLimits;
  /** Requests by HTTP/2 that one network may have open: a connection carries many. */
  readonly http2Requests: NetworkLimits;
}

export const defaultLimits: Limits = Object.freeze({
  headersMs: 10_000,
  keepAliveMs: 65_000,
  bodyIdleMs: 60_000,
  bodyMs: 20_000,
  minBodyBytesPerSecond: 2048,
  answerMs: 120_000,
  stallMs: 300_000,
  lingerMs: 30_000,
  closeMs: 1000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 20_000,
  maxPipelined: 32,
  maxUpstream: 1024,
  reservedUpstream: 256,
  perNetwork: { network: 256, site: 320, region: 384 },
  http2Requests: { network: 5000, site: 7500, region: 10_000 },
});
