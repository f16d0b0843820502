import type { Destination } from './sending/send-batch.ts';
import { socketAddress } from './sending/socket-address.ts';

/** One way to a peer: an address that it has shown to be its own. */
export class Route implements Destination {
  readonly key: string;
  /** As the socket writes it. */
  readonly host: string;
  readonly address: Buffer;
  canSegment = true;
  /** Somebody is there who answers: it completed DTLS, or a check of ours. Only then is media sent there. */
  isProved = false;
  /** The number of our own check that is under way. */
  asked: Buffer | undefined;
  heardMs = 0;

  constructor(host: string, port: number) {
    this.key = routeKey(host, port);
    this.host = host;
    this.address = socketAddress(host, port);
  }
}

export function routeKey(host: string, port: number): string {
  return `${host} ${port}`;
}
