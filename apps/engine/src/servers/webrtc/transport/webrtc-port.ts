import type { Socket } from 'node:dgram';
import type { ListenerState } from '@weir/engine-api';
import type { Listen, Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { holdUdpPort, releaseUdpPort } from '../../udp-port.ts';
import type { RtcPort } from './rtc-transport.ts';

/** Takes over the port; rejects on failure. */
export type OpenRtcPort<Port = RtcPort> = (listen: Listen) => Promise<Port>;

/**
 * UDP port of WebRTC. A plain socket reserves it cheaply from the start and shows whether it is free; the transport takes it over on
 * first use and keeps it.
 */
export class WebRtcPort<Port extends Pick<RtcPort, 'close'> = RtcPort> {
  readonly #log: Log;
  readonly #openPort: OpenRtcPort<Port>;
  #holder: Socket | undefined;
  #listen: Listen = { host: undefined, port: 0 };
  #opening: Promise<Port> | undefined;
  #port: Port | undefined;
  #note: 'port-taken' | '' = '';

  constructor(log: Log, openPort: OpenRtcPort<Port>) {
    this.#log = log;
    this.#openPort = openPort;
  }

  get state(): ListenerState {
    return { protocol: 'rtc', port: this.#listen.port, ready: this.#isHeld, note: this.#note };
  }

  get #isHeld(): boolean {
    return this.#holder !== undefined || this.#port !== undefined;
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
      const facts = { port: listen.port, reason: errorMessage(error) };
      this.#log.warn(
        facts,
        'WebRTC is off: another program uses its UDP port, stop that program or set WEIR_RTC_LISTEN',
      );
    }
  }

  /** Opens the transport on the port. Retries after a failure, because another program may have left the port. */
  use(): Promise<Port> {
    this.#opening ??= this.#openForUse().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Holds the port again after its user is gone. */
  async lost(): Promise<void> {
    this.#port = undefined;
    this.#opening = undefined;
    if (!this.#holder) await this.open(this.#listen);
  }

  async #openForUse(): Promise<Port> {
    if (!this.#isHeld) await this.open(this.#listen);
    if (!this.#holder) throw new Error('another program uses the WebRTC UDP port');
    await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    try {
      this.#port = await this.#openPort(this.#listen);
    } catch (error) {
      this.#note = 'port-taken';
      throw error;
    }
    return this.#port;
  }

  async close(): Promise<void> {
    if (this.#holder) await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    this.#port?.close();
    this.#port = undefined;
  }
}
