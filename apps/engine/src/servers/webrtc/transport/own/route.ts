import type { Destination } from './sending/send-batch.ts';
import { parseAddressOctets, parsePlainOctets, socketAddress } from './sending/socket-address.ts';

/** Where a datagram came from, and to which address of ours where that is known. */
export interface Way {
  readonly host: string;
  readonly port: number;
  readonly local: string | undefined;
}

/** One way to a peer: an address that it has shown to be its own. */
export class Route implements Destination {
  readonly key: string;
  /** As the socket writes it. */
  readonly host: string;
  readonly port: number;
  readonly octets: Buffer;
  readonly address: Buffer;
  /** Our own address that it sends to, where the machine has several. */
  readonly source: Buffer | undefined;
  canSegment = true;
  /** Somebody is there who answers: it completed DTLS, or a check of ours. Only then is media sent there. */
  isProved = false;
  /** The number of our own check, the same each time it is repeated: an answer may take longer than that. */
  asked: Buffer | undefined;
  askedMs = Number.NEGATIVE_INFINITY;
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
