import type { Socket } from 'node:dgram';
import type { Listen, Log } from '@weir/plane';
import type { ListenerState } from '../../protocol-server.ts';
import { holdUdpPort, releaseUdpPort } from '../../udp-port.ts';
import type { RtcPort } from './rtc-transport.ts';

/** Takes the port over from whoever held it; rejects when it cannot. */
export type OpenRtcPort = (listen: Listen) => Promise<RtcPort>;

/**
 * The one UDP port of WebRTC. From the start it is held by a plain socket, which tells whether it is free and costs
 * nothing; what speaks WebRTC is loaded and takes it over at the first use, and keeps it.
 */
export class WebRtcPort {
  readonly #log: Log;
  readonly #openPort: OpenRtcPort;
  #holder: Socket | undefined;
  #listen: Listen = { host: undefined, port: 0 };
  #opening: Promise<RtcPort> | undefined;
  #taken: RtcPort | undefined;
  #note: 'port-taken' | '' = '';

  constructor(log: Log, openPort: OpenRtcPort) {
    this.#log = log;
    this.#openPort = openPort;
  }

  get port(): number {
    return this.#listen.port;
  }

  get state(): ListenerState {
    return { protocol: 'rtc', port: this.#listen.port, ready: this.#isHeld, note: this.#note };
  }

  get #isHeld(): boolean {
    return this.#holder !== undefined || this.#taken !== undefined;
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

  /** The port in the hands of whoever speaks WebRTC. Tried anew after a failure: the other program may be gone. */
  use(): Promise<RtcPort> {
    this.#opening ??= this.#take().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #take(): Promise<RtcPort> {
    if (!this.#isHeld) await this.open(this.#listen);
    if (!this.#holder) throw new Error('another program uses the WebRTC UDP port');
    await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    try {
      this.#taken = await this.#openPort(this.#listen);
    } catch (error) {
      this.#note = 'port-taken';
      throw error;
    }
    return this.#taken;
  }

  async close(): Promise<void> {
    if (this.#holder) await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    this.#taken?.close();
    this.#taken = undefined;
  }
}
