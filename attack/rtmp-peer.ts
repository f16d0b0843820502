import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type RtmpClientEvent, RtmpClientSession } from '@weir/media/rtmp-client';
import { until } from '../tests/weir.fixture.ts';

interface Options {
  /** The app; live without one. */
  readonly app?: string;
  readonly port: number;
  readonly mode: 'publish' | 'play';
  readonly name: string;
  readonly from?: string;
  /** Sent in one write with the command that begins. */
  readonly afterStart?: Buffer;
}

/** A connection that behaves until it has begun, and then sends whatever it is told to. */
export class RtmpPeer {
  readonly session: RtmpClientSession;
  readonly socket: Socket;
  readonly events: RtmpClientEvent[] = [];
  hasEnded = false;
  readonly #options: Options;

  constructor(options: Options) {
    const { port, mode, app = 'live', name, from = '127.0.0.1' } = options;
    this.#options = options;
    this.session = new RtmpClientSession({ mode, name, app, tcUrl: `rtmp://127.0.0.1:${port}/${app}` });
    this.socket = connect({ port, host: '127.0.0.1', localAddress: from });
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => {
      this.hasEnded = true;
    });
    this.socket.on('data', (chunk: Buffer) => {
      this.events.push(...this.session.push(chunk).filter(({ type }) => type !== 'media'));
      this.flush();
    });
    this.flush();
  }

  /** Resolves when the server has agreed to what this peer asked for, or has refused it. */
  begun(): Promise<void> {
    return until(() => this.hasEnded || this.events.length > 0, 'an answer of the RTMP server');
  }

  flush(): void {
    const { mode, afterStart } = this.#options;
    const bytes = this.session.readOutput();
    if (!bytes) return;
    const isStart = afterStart !== undefined && bytes.includes(`\0\x07${mode}`);
    this.write(isStart ? Buffer.concat([bytes, afterStart]) : bytes);
  }

  write(bytes: Buffer): boolean {
    return !this.socket.destroyed && this.socket.write(bytes);
  }

  /** Sends what has gathered, and waits until the server has taken it (or has closed). */
  async drain(): Promise<void> {
    this.flush();
    while (this.socket.writableNeedDrain && !this.socket.destroyed) {
      const leave = new AbortController();
      const { signal } = leave;
      const events = [once(this.socket, 'drain', { signal }), once(this.socket, 'close', { signal })];
      await Promise.race(events).catch(() => undefined);
      leave.abort();
      await Promise.allSettled(events);
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
