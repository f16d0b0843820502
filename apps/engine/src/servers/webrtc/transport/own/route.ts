import type { Destination } from './sending/send-batch.ts';
import { socketAddress } from './sending/socket-address.ts';

/** One way to a peer: an address that it has shown to be its own. */
export class Route implements Destination {
  readonly key: string;
  /** As the socket writes it. */
  readonly host: string;
  readonly address: Buffer;
  canSegment = true;
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
