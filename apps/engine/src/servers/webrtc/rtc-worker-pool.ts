import type { ListenerState, WorkerExits } from '@weir/engine-api';
import type { Config } from '@weir/plane';
import type { RtcSession } from './rtc-session.ts';
import { type RtcLineOptions, RtcWorkerHandle } from './rtc-worker-handle.ts';

interface Options extends Omit<RtcLineOptions, 'listen' | 'transport' | 'onKeyframe'> {
  readonly config: Pick<Config, 'rtc' | 'rtcTransport' | 'rtcWorkers' | 'published'>;
}

/** A place in one of the processes. */
export interface Reserved {
  readonly line: RtcWorkerHandle;
  readonly session: RtcSession;
  /** Public port. */
  readonly port: number;
}

/** WebRTC worker processes on consecutive ports. New sessions go to the least used one. */
export class RtcWorkerPool {
  readonly #lines: readonly RtcWorkerHandle[];
  readonly #published: number;

  constructor({ config, ...rest }: Options) {
    const { host, port } = config.rtc;
    this.#published = Number(config.published.rtc);
    const onKeyframe = (key: string) => {
      for (const line of this.#lines) line.requestKeyframe(key);
    };
    this.#lines = Array.from({ length: config.rtcWorkers }, (_, n) => {
      // With port 0 the system chooses each.
      const listen = { host, port: port === 0 ? 0 : port + n };
      return new RtcWorkerHandle({ ...rest, listen, transport: config.rtcTransport, onKeyframe });
    });
  }

  get listeners(): readonly ListenerState[] {
    return this.#lines.map(({ listener }) => listener);
  }

  get exits(): readonly WorkerExits[] {
    return this.#lines.flatMap(({ exits }) => exits ?? []);
  }

  async open(): Promise<void> {
    for (const line of this.#lines) await line.open();
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  /** Undefined when there are too many. Rejects where no process can be had. */
  async reserve(address: string, iceUfrag: string): Promise<Reserved | undefined> {
    const line = this.#leastLoaded();
    const session = await line?.reserve(address, iceUfrag);
    if (!line || !session) return undefined;
    const offset = this.#lines.indexOf(line);
    const port = this.#published > 0 ? this.#published + offset : line.listener.port;
    return { line, session, port };
  }

  find(id: string, token: string): RtcSession | undefined {
    for (const line of this.#lines) {
      const session = line.find(id, token);
      if (session) return session;
    }
    return undefined;
  }

  /** A worker whose port is taken is used only if there is no other. */
  #leastLoaded(): RtcWorkerHandle | undefined {
    const ready = this.#lines.filter(({ listener }) => listener.ready);
    return (ready.length > 0 ? ready : this.#lines).toSorted((a, b) => a.load - b.load)[0];
  }
}
