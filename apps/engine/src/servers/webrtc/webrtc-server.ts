import type { IncomingMessage, ServerResponse } from 'node:http';
import { broken } from '../../http/failures.ts';
import type { Reply } from '../../http/reply.ts';
import type { ListenerState, ProtocolServer } from '../protocol-server.ts';
import type { Signaling, SignalingOptions } from './signaling/signaling.ts';
import { WebRtcPort } from './transport/webrtc-port.ts';

/** WebRTC as the engine sees it: a port, and whoever answers `/rtc/`, loaded when somebody asks for the first time. */
export class WebRtcServer implements ProtocolServer {
  readonly #options: SignalingOptions;
  readonly #port: WebRtcPort;
  #signaling: Promise<Signaling> | undefined;

  constructor(options: SignalingOptions) {
    this.#options = options;
    this.#port = new WebRtcPort(options.log, async (listen) => {
      const { openRtcPort } = await import('./transport/open-rtc-port.ts');
      return openRtcPort(listen, { kind: options.config.rtcTransport, log: options.log });
    });
  }

  get listener(): ListenerState {
    return this.#port.state;
  }

  async open(): Promise<void> {
    await this.#port.open(this.#options.config.rtc);
  }

  async close(): Promise<void> {
    await (await this.#signaling?.catch(() => undefined))?.close();
    await this.#port.close();
  }

  readonly serve = (req: IncomingMessage, res: ServerResponse, reply: Reply): void => {
    this.#signaling ??= import('./signaling/signaling.ts').then(
      ({ Signaling }) => new Signaling(this.#options, this.#port),
    );
    this.#signaling.then(
      (signaling) => signaling.serve(req, res, reply),
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'WebRTC cannot be loaded');
        reply.fail(res, broken);
      },
    );
  };
}
