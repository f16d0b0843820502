import { parseConnection, privateHeaders } from '@weir/engine-api';
import { isLoopback, isLoopbackHost } from '@weir/streams';
import type { FastifyRequest } from 'fastify';
import { isLocalProgram } from './local-program.ts';

/** Authenticated caller: a script with the API secret, a browser session, or whoever has the code of a server without a password. */
export type Caller = { readonly kind: 'script' | 'setup' } | { readonly kind: 'session'; readonly sessionId: string };

/** Request facts for routes, independent of the transport. */
export interface Call {
  /** Set on every endpoint that is not public. */
  readonly caller: Caller | undefined;
  /** The client's address, as the front door saw it. */
  readonly address: string;
  /** True if the client is a program on this machine; costs a search through the system's processes. */
  readonly isLocal: () => Promise<boolean>;
  /** Scheme and host the client used for this server, for links back to it. */
  readonly origin: string;
  /** True if a standby server passed the call on. A client can claim this, but only affects its own answer. */
  readonly viaStandby: boolean;
}

/** By which a server on standby marks what it passes on, in `Via`. */
export const standbyMark = 'weir-standby';

/** The front door is the only peer of the private socket, so these headers are its own words. */
export function readClientAddress(request: FastifyRequest): string {
  return headerOf(request, 'x-forwarded-for') || 'unknown';
}

/** Empty when the client named no host that can stand in an address. */
export function readOrigin(request: FastifyRequest): string {
  const text = `${headerOf(request, 'x-forwarded-proto')}://${headerOf(request, 'x-forwarded-host')}`;
  return URL.canParse(text) ? new URL(text).origin : '';
}

/**
 * A loopback address alone proves little: a reverse proxy on this machine forwards strangers, and a web page open in a browser here can
 * send requests too. Headers can only count against the caller, because a stranger can write them. The kernel's facts about the
 * connection count for it.
 */
export async function isLocalCall(request: FastifyRequest): Promise<boolean> {
  const connection = parseConnection(headerOf(request, privateHeaders.connection));
  return (
    connection !== undefined &&
    headerOf(request, privateHeaders.peer) === 'direct' &&
    isLoopback(connection.peer.address) &&
    isLoopback(readClientAddress(request)) &&
    isLoopbackHost(hostnameOf(`http://${headerOf(request, 'x-forwarded-host')}`)) &&
    !isFromPage(request) &&
    (await isLocalProgram(connection))
  );
}

/** Browsers say so with everything a page sends. */
function isFromPage({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

export function isViaStandby(request: FastifyRequest): boolean {
  return headerOf(request, 'via').includes(standbyMark);
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
