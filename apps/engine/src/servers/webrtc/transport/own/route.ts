import type { Destination } from './sending/send-batch.ts';
import { parseAddressOctets, parsePlainOctets, socketAddress } from './sending/socket-address.ts';

/** Source of a datagram, and our address where known. */
export interface Way {
  readonly host: string;
  readonly port: number;
  readonly local: string | undefined;
}

/** Route to a peer: an address that the peer has proved. */
export class Route implements Destination {
  readonly key: string;
  /** Address as the socket writes it. */
  readonly host: string;
  readonly port: number;
  readonly octets: Buffer;
  readonly address: Buffer;
  /** Our own address that it sends to, where the machine has several. */
  readonly source: Buffer | undefined;
  canSegment = true;
  /** True once a peer there completed DTLS or answered our check. Media is sent only then. */
  isProved = false;
  /** The number of our own check, the same each time it is repeated: an answer may take longer than that. */
  transactionId: Buffer | undefined;
  checkedMs = Number.NEGATIVE_INFINITY;
  heardMs = 0;

  constructor(host: string, port: number, local?: string) {
    this.key = routeKey(host, port, local);
    this.host = host;
    this.port = port;
    this.octets = parsePlainOctets(host);
    this.source = local === undefined ? undefined : parseAddressOctets(local);
    this.address = socketAddress(host, port);
  }
}

export function routeKey(host: string, port: number, local = ''): string {
  return `${host} ${port} ${local}`;
}
