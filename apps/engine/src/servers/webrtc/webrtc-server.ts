import type { IncomingMessage, ServerResponse } from 'node:http';
import { broken } from '../../http/failures.ts';
import type { Reply } from '../../http/reply.ts';
import type { ListenerState, ProtocolServer } from '../protocol-server.ts';
import { RtcPort } from './rtc-port.ts';
import type { CallsOptions, RtcCalls } from './signaling/rtc-calls.ts';

/** WebRTC as the engine sees it: a port, and whoever answers `/rtc/`, loaded when somebody asks for the first time. */
export class WebRtcServer implements ProtocolServer {
  readonly #options: CallsOptions;
  readonly #port: RtcPort;
  #calls: Promise<RtcCalls> | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#port = new RtcPort(options.log);
  }

  get listener(): ListenerState {
    return this.#port.state;
  }

  async open(): Promise<void> {
    await this.#port.open(this.#options.config.rtc);
  }

  async close(): Promise<void> {
    await (await this.#calls?.catch(() => undefined))?.close();
    await this.#port.close();
  }

  readonly serve = (req: IncomingMessage, res: ServerResponse, reply: Reply): void => {
    this.#calls ??= import('./signaling/rtc-calls.ts').then(({ RtcCalls }) => new RtcCalls(this.#options, this.#port));
    this.#calls.then(
      (calls) => calls.serve(req, res, reply),
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'WebRTC cannot be loaded');
        reply.fail(res, broken);
      },
    );
  };
}
