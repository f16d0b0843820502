import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { plainAddress } from '@weir/streams';

/** Client behind the trusted proxies. */
export interface Caller {
  readonly address: string;
  readonly proto: 'http' | 'https';
  readonly host: string;
  /** False if any proxy announced itself, trusted or not: then a near peer says nothing about the client. */
  readonly isDirect: boolean;
  /** True if the peer is a trusted proxy. */
  readonly isPeerTrusted: boolean;
}

/** Request facts, independent of the parser. */
export type RequestFacts = Pick<
  IncomingMessage,
  'method' | 'httpVersion' | 'headers' | 'headersDistinct' | 'rawHeaders' | 'socket'
>;

/** Host and optional port; nothing that could break out of an address built from it. */
const hostPattern = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]*)(?::\d{0,5})?$/;

export const isHost = (text: string): boolean => text.length <= 255 && hostPattern.test(text);

export class CallerReader {
  readonly #trusted = new BlockList();

  constructor(trustedProxies: readonly string[]) {
    for (const network of trustedProxies) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(prefix), family);
    }
  }

  read(req: RequestFacts): Caller {
    const peer = plainAddress(req.socket.remoteAddress ?? '');
    const isPeerTrusted = this.#isTrusted(peer);
    const ownProto = 'encrypted' in req.socket ? 'https' : 'http';
    // An HTTP/1.0 client may have no Host.
    const ownHost = req.headers.host || 'localhost';
    const isDirect = !announcesProxy(req);
    if (!isPeerTrusted) return { address: peer, proto: ownProto, host: ownHost, isDirect, isPeerTrusted };
    const proto = lastOf(req, 'x-forwarded-proto')?.toLowerCase();
    const host = lastOf(req, 'x-forwarded-host');
    return {
      address: this.#clientBehind(valuesOf(req, 'x-forwarded-for'), peer),
      proto: proto === 'http' || proto === 'https' ? proto : ownProto,
      host: host !== undefined && isHost(host) ? host : ownHost,
      isDirect,
      isPeerTrusted,
    };
  }

  /** Client address for this peer and these `X-Forwarded-For` values. */
  addressOf(socket: Socket, forwardedFor: readonly string[]): string {
    const peer = plainAddress(socket.remoteAddress ?? '');
    return this.#isTrusted(peer) ? this.#clientBehind(splitValues(forwardedFor), peer) : peer;
  }

  /** Walks from the nearest hop outwards; entries before the first untrusted address can be forged. */
  #clientBehind(hops: readonly string[], peer: string): string {
    let client = peer;
    for (const entry of hops.toReversed()) {
      const address = plainAddress(withoutPort(entry));
      if (isIP(address) === 0) return client;
      client = address;
      if (!this.#isTrusted(address)) return client;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Headers that proxies add. */
export function isForwardingHeader(name: string): boolean {
  return name.startsWith('x-forwarded-') || name === 'x-real-ip' || name === 'x-real-host' || name === 'forwarded';
}

function announcesProxy(req: RequestFacts): boolean {
  for (const name in req.headers) if (name === 'via' || isForwardingHeader(name)) return true;
  return false;
}

function valuesOf(req: RequestFacts, name: string): string[] {
  return splitValues(req.headersDistinct[name] ?? []);
}

function splitValues(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(',')).map((value) => value.trim());
}

/** The last of several values was written by the nearest proxy, which we trust. */
function lastOf(req: RequestFacts, name: string): string | undefined {
  return valuesOf(req, name).at(-1);
}

/** Some proxies write `192.0.2.1:1234` or `[2001:db8::1]:1234`. */
function withoutPort(entry: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}
