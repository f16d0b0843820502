import { createServer, type Server, type Socket } from 'node:net';
import { type Listen, type Log, StartError } from '@weir/plane';
import type { Admission } from '../../hub/admission.ts';
import { FanOuts } from '../../hub/fan-outs.ts';
import type { Renditions } from '../../hub/renditions/renditions.ts';
import { ReadPace } from './read-pace.ts';
import { RtmpConnection, type RtmpLimits } from './rtmp-connection.ts';
import { rtmpForm } from './rtmp-form.ts';

const defaultLimits: RtmpLimits = { startMs: 10_000, publisherIdleMs: 30_000 };
const mostConnections = 20_000;

interface Options {
  readonly admission: Admission;
  readonly renditions: Renditions;
  readonly log: Log;
  readonly limits?: Partial<RtmpLimits>;
}

/** Publish and play by RTMP. */
export class RtmpServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor({ admission, renditions, log, limits }: Options) {
    const context = {
      admission,
      log,
      fanOuts: new FanOuts(rtmpForm, (stream) => renditions.of(stream, 'classic')),
      pace: new ReadPace(),
      limits: { ...defaultLimits, ...limits },
    };
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      new RtmpConnection(socket, context);
    });
    this.#server.maxConnections = mostConnections;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async open({ host, port }: Listen): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).once('listening', resolve);
    this.#server.listen({ port, backlog: 4096, ...(host === undefined ? {} : { host }) });
    try {
      await promise;
    } catch (cause) {
      throw new StartError(
        `Port ${port} for RTMP cannot be opened: stop the program that has it, or set WEIR_RTMP_LISTEN.`,
        {
          cause,
        },
      );
    } finally {
      this.#server.off('error', reject).off('listening', resolve);
    }
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }
}
