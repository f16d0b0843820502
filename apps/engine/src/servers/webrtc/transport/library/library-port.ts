import type { Listen } from '@weir/plane';
import type { IceUdpMuxListener } from 'node-datachannel';
import type { Connecting, RtcPort, RtcTransport } from '../rtc-transport.ts';
import { type LibraryPlace, LibraryTransport } from './library-transport.ts';

/** The port in the hands of the native library. */
export class LibraryPort implements RtcPort {
  readonly #place: LibraryPlace;
  readonly #listener: IceUdpMuxListener;

  private constructor(place: LibraryPlace, listener: IceUdpMuxListener) {
    this.#place = place;
    this.#listener = listener;
  }

  /** Throws when the port is taken. */
  static async open({ host, port }: Listen): Promise<LibraryPort> {
    const library = await import('node-datachannel');
    return new LibraryPort({ library, port, host }, new library.IceUdpMuxListener(port, host));
  }

  get port(): number {
    return this.#place.port;
  }

  connect(connecting: Connecting): RtcTransport {
    return new LibraryTransport(this.#place, connecting);
  }

  close(): void {
    this.#listener.stop();
  }
}
