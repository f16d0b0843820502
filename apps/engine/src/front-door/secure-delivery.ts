import { createServer, type Server, type Socket } from 'node:net';
import { type Log, listenOnSocket } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import type { SecureSettings } from '../delivery/secure-options.ts';
import type { Delivery, SecureSeat } from '../hub/fan-out/delivery.ts';

/** Time for a worker to say which connection it speaks for. */
const nameWithinMs = 5000;
const mostNameBytes = 64;
const lineEnd = '\n'.charCodeAt(0);

interface Given {
  readonly raw: Socket;
  readonly seat: SecureSeat;
}

interface Options {
  readonly delivery: Delivery;
  /** Path of the private socket to which workers bring what they decrypted. */
  readonly path: string;
  readonly log: Log;
}

/**
 * Gives new connections of the HTTPS port to delivery workers, which encrypt for them, where there are some. What a client sends comes back over a
 * private socket in the form of a connection that TLS has opened here, with the client's address. The raw connection stays open and unread, so that it is
 * counted, limited and ended as every other.
 */
export class SecureDelivery {
  readonly #options: Options;
  readonly #given = new Map<string, Given>();
  #inner: Server | undefined;
  #isListening = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Wraps the server's present listener for new connections. */
  install(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (raw: Socket) => {
      if (this.#give(server, raw)) return;
      for (const listener of listeners) listener.call(server, raw);
    });
  }

  set(settings: Omit<SecureSettings, 'path'>): void {
    this.#options.delivery.setSecure({ ...settings, path: this.#options.path });
  }

  close(): void {
    this.#inner?.close();
  }

  #give(server: Server, raw: Socket): boolean {
    const { delivery } = this.#options;
    if (!this.#isListening) {
      if (delivery.isWanted) this.#listen(server);
      return false;
    }
    const seat = raw.readableLength > 0 ? undefined : delivery.shareSecure(raw, () => raw.destroy());
    if (!seat) return false;
    stopReading(raw);
    this.#given.set(seat.name, { raw, seat });
    raw.on('error', ignore).once('close', () => {
      this.#given.delete(seat.name);
      seat.leave();
    });
    return true;
  }

  /** With the first connection that a worker could take: an idle engine does without. */
  #listen(server: Server): void {
    if (this.#inner) return;
    const { path, log } = this.#options;
    this.#inner = createServer({ allowHalfOpen: true }, (inside) => this.#accept(server, inside));
    listenOnSocket(this.#inner, path).then(
      () => {
        this.#isListening = true;
      },
      (error: unknown) =>
        log.warn({ reason: errorMessage(error) }, 'delivery workers cannot take connections of the HTTPS port'),
    );
  }

  /** Reads the name of the connection, which comes before its bytes. */
  #accept(server: Server, inside: Socket): void {
    let read = Buffer.alloc(0);
    const deadline = setTimeout(() => inside.destroy(), nameWithinMs);
    const onData = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(lineEnd);
      if (end < 0 && read.length <= mostNameBytes) return;
      inside.off('data', onData).pause();
      clearTimeout(deadline);
      const [name = '', protocol = ''] = read.toString('latin1', 0, Math.max(0, end)).split(' ');
      const given = this.#given.get(name);
      this.#given.delete(name);
      if (!given) {
        inside.destroy();
        return;
      }
      if (end + 1 < read.length) inside.unshift(read.subarray(end + 1));
      this.#open(server, inside, given.raw, protocol);
    };
    inside.on('error', ignore).on('data', onData);
    inside.once('close', () => clearTimeout(deadline));
  }

  #open(server: Server, inside: Socket, raw: Socket, protocol: string): void {
    const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = raw;
    const facts = { remoteAddress, remotePort, remoteFamily, localAddress, localPort };
    for (const [name, value] of Object.entries({ ...facts, encrypted: true, alpnProtocol: protocol || false }))
      Object.defineProperty(inside, name, { value });
    inside.once('close', () => raw.destroy());
    raw.once('close', () => inside.destroy());
    server.emit('secureConnection', inside);
    // A session of HTTP/2 begins later, and takes what was read until then by itself.
    if (protocol !== 'h2') inside.resume();
  }
}

/** Leaves what comes to the process that the connection is shared with. Node does not document it, as it does not document the handle. */
function stopReading(socket: Socket): void {
  const handle: { readStop?: () => void; reading?: boolean } | null = Reflect.get(socket, '_handle');
  handle?.readStop?.();
}

function ignore(): void {}
