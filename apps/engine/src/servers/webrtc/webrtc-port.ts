import type { Socket } from 'node:dgram';
import type { Listen, Log } from '@weir/plane';
import type { IceUdpMuxListener } from 'node-datachannel';
import type { ListenerState } from '../protocol-server.ts';
import { holdUdpPort, releaseUdpPort } from '../udp-port.ts';

/** The native library, once somebody needed it. */
type WebRtcLibrary = typeof import('node-datachannel');

/** What peers need to be made: the library and the port that all of them share. */
export interface OpenWebRtcPort {
  readonly library: WebRtcLibrary;
  readonly port: number;
  readonly host: string | undefined;
}

/**
 * The one UDP port of WebRTC. From the start it is held by a plain socket, which tells whether it is free and costs
 * nothing; the native library takes it over at the first use, and keeps it.
 */
export class WebRtcPort {
  readonly #log: Log;
  #holder: Socket | undefined;
  #listen: Listen = { host: undefined, port: 0 };
  #opening: Promise<OpenWebRtcPort> | undefined;
  #native: IceUdpMuxListener | undefined;
  #note: 'port-taken' | '' = '';

  constructor(log: Log) {
    this.#log = log;
  }

  get port(): number {
    return this.#listen.port;
  }

  get state(): ListenerState {
    return { protocol: 'rtc', port: this.#listen.port, ready: this.#isHeld, note: this.#note };
  }

  get #isHeld(): boolean {
    return this.#holder !== undefined || this.#native !== undefined;
  }

  /** A port that is taken does not keep the server from starting: everything but WebRTC works. */
  async open(listen: Listen): Promise<void> {
    this.#listen = listen;
    try {
      this.#holder = await holdUdpPort(listen);
      this.#listen = { ...listen, port: this.#holder.address().port };
      this.#note = '';
    } catch (error) {
      this.#note = 'port-taken';
      const facts = { port: listen.port, reason: error instanceof Error ? error.message : String(error) };
      this.#log.warn(
        facts,
        'WebRTC is off: another program uses its UDP port, stop that program or set WEIR_RTC_LISTEN',
      );
    }
  }

  /** The library with the port in its hands. Tried anew after a failure: the other program may be gone. */
  use(): Promise<OpenWebRtcPort> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<OpenWebRtcPort> {
    const library = await import('node-datachannel');
    if (!this.#isHeld) await this.open(this.#listen);
    if (!this.#holder) throw new Error('another program uses the WebRTC UDP port');
    await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    const { host, port } = this.#listen;
    try {
      this.#native = new library.IceUdpMuxListener(port, host);
    } catch (error) {
      this.#note = 'port-taken';
      throw error;
    }
    return { library, port, host };
  }

  async close(): Promise<void> {
    if (this.#holder) await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    this.#native?.stop();
    this.#native = undefined;
  }
}
