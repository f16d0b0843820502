/** How long and how many. Tests shorten them; operators have no reason to. */
export interface Limits {
  /** A client has this long to send its request line and headers. */
  readonly headersMs: number;
  /** An idle connection stays open this long: above the 60 s at which common proxies give up theirs. */
  readonly keepAliveMs: number;
  /** Longest pause inside a request body. The whole body may take hours. */
  readonly bodyIdleMs: number;
  /** The control plane has this long to begin its answer once it has the request. */
  readonly answerMs: number;
  /** A client that takes none of the bytes waiting for it is cut after this long. */
  readonly stallMs: number;
  /** How long the rest of an unwanted request body is read away, so that the client sees the answer and not a reset. */
  readonly lingerMs: number;
  /** Running responses get this long when the front door closes. */
  readonly closeMs: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** Requests a client may send ahead on one connection without waiting for answers. */
  readonly maxPipelined: number;
  /** Connections to the control plane, and requests that may wait for one. */
  readonly maxUpstream: number;
  readonly maxQueued: number;
  /** Requests one client address may have at the control plane, so that it cannot take every connection. */
  readonly maxPerClient: number;
}

export const defaultLimits: Limits = Object.freeze({
  headersMs: 10_000,
  keepAliveMs: 65_000,
  bodyIdleMs: 60_000,
  answerMs: 120_000,
  stallMs: 300_000,
  lingerMs: 30_000,
  closeMs: 2000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 20_000,
  maxPipelined: 32,
  maxUpstream: 512,
  maxQueued: 512,
  maxPerClient: 256,
});
