import type { ListenerState, WorkerExits } from '@weir/engine-api';
import type { Config } from '@weir/plane';
import { broken } from '../../http/failures.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Reply } from '../../http/reply.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { RtcWorkerPool } from './rtc-worker-pool.ts';
import type { Signaling, SignalingOptions } from './signaling/signaling.ts';

interface Options extends SignalingOptions {
  readonly config: SignalingOptions['config'] & Pick<Config, 'rtc' | 'rtcTransport' | 'rtcWorkers' | 'published'>;
  readonly logLevel?: Config['logLevel'];
}

/** WebRTC in the engine: worker processes for ports and packets, and the handler of `/rtc/`, loaded on first use. */
export class WebRtcServer implements ProtocolServer {
  readonly #options: Options;
  readonly #lines: RtcWorkerPool;
  #signaling: Promise<Signaling> | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { config, viewOf, log, logLevel = 'info' } = options;
    this.#lines = new RtcWorkerPool({ config, viewOf, log, logLevel });
  }

  /** First port; the others follow it. */
  get listener(): ListenerState {
    return this.#lines.listeners[0] ?? { protocol: 'rtc', port: 0, ready: false, note: '' };
  }

  get listeners(): readonly ListenerState[] {
    return this.#lines.listeners;
  }

  get exits(): readonly WorkerExits[] {
    return this.#lines.exits;
  }

  async open(): Promise<void> {
    await this.#lines.open();
  }

  async close(): Promise<void> {
    (await this.#signaling?.catch(() => undefined))?.close();
    await this.#lines.close();
  }

  readonly serve = (req: HttpRequest, res: HttpResponse, reply: Reply): void => {
    this.#signaling ??= import('./signaling/signaling.ts').then(
      ({ Signaling }) => new Signaling(this.#options, this.#lines),
    );
    this.#signaling.then(
      (signaling) => signaling.serve(req, res, reply),
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'WebRTC could not be loaded');
        reply.fail(res, broken);
      },
    );
  };
}
