import { ipv6Groups, isIpv4, plainAddress } from '@weir/streams';

/** Headers that only the front door and the control server exchange. The front door removes every `x-weir-` header of clients. */
export const privateHeaders = {
  /** Proves that the engine of this start sends the hook. */
  hookToken: 'x-weir-hook',
  /** `direct`, or `proxied` when a trusted proxy is between client and front door. */
  peer: 'x-weir-peer',
  /** Both ends of the client's connection. */
  connection: 'x-weir-connection',
  /** On answers to a caller with a valid credential. */
  accepted: 'x-weir-accepted',
} as const;

/** One end of a TCP connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Client's connection to the front door. */
export interface Connection {
  readonly peer: Endpoint;
  readonly own: Endpoint;
}

/** `[address]:port [address]:port`, the client's end first. */
export function formatConnection({ peer, own }: Connection): string {
  return [peer, own].map(({ address, port }) => `[${plainAddress(address)}]:${port}`).join(' ');
}

/** Undefined for any other text. */
export function parseConnection(text: string): Connection | undefined {
  const [peer, own, ...more] = text.split(' ').map(parseEndpoint);
  return peer && own && more.length === 0 ? { peer, own } : undefined;
}

function parseEndpoint(text: string): Endpoint | undefined {
  const [, address = '', port] = /^\[([^\]]{2,64})\]:(\d{1,5})$/.exec(text) ?? [];
  return isIpv4(address) || ipv6Groups(address) ? { address, port: Number(port) } : undefined;
}
