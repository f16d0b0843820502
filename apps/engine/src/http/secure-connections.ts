import { connect, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type SecureSettings, sessionIdContext, tlsOptions, tlsProtocols } from '../delivery/secure-options.ts';
import { HandshakePace } from './handshake-pace.ts';

/** Time for a client to take the rest of what was sent before its connection ended. */
const lastBytesMs = 30_000;

interface Shaking {
  readonly client: number;
  readonly name: string;
}

/**
 * TLS for connections that the engine gave away before it read of them. What clients send goes to the engine's private socket, decrypted, and
 * what the engine answers there is encrypted here.
 */
export class SecureConnections {
  readonly #onLeft: (client: number) => void;
  /** How to end each connection. */
  readonly #ends = new Map<number, () => void>();
  /** Connections in their handshake, by address: after it TLS represents them by another object. */
  readonly #shaking = new Map<string, Shaking>();
  #server: Server | undefined;
  #path = '';

  constructor(onLeft: (client: number) => void) {
    this.#onLeft = onLeft;
  }

  /** Opens it, or changes the certificate for later connections. */
  set({ key, cert, ticketKeys, handshakeMs, path }: SecureSettings): void {
    this.#path = path;
    const context = { ...tlsOptions, key, cert, sessionIdContext, ticketKeys: Buffer.from(ticketKeys, 'base64') };
    if (this.#server) {
      this.#server.setSecureContext(context);
      return;
    }
    const options = { ...context, ALPNProtocols: tlsProtocols, handshakeTimeout: handshakeMs, allowHalfOpen: true };
    this.#server = createServer(options, (secure) => this.#shaken(secure));
    this.#server.on('tlsClientError', (_error, secure) => secure.destroy());
    new HandshakePace(handshakeMs).install(this.#server);
  }

  /** `name`: what the engine calls the connection at its private socket. */
  add(client: number, name: string, handle: unknown): void {
    const options: object = { handle, readable: true, writable: true, allowHalfOpen: true };
    const socket = new Socket(options);
    const place = placeOf(socket);
    this.#ends.set(client, () => socket.destroy());
    this.#shaking.set(place, { client, name });
    socket.setNoDelay(true).on('error', ignore);
    socket.once('close', () => {
      this.#ends.delete(client);
      if (this.#shaking.get(place)?.client === client) this.#shaking.delete(place);
      this.#onLeft(client);
    });
    this.#server?.emit('connection', socket);
  }

  /** Ends a connection, once it has what was sent before. False if there is none of that number. */
  end(client: number): boolean {
    const end = this.#ends.get(client);
    end?.();
    return end !== undefined;
  }

  close(): void {
    for (const end of this.#ends.values()) end();
  }

  #shaken(secure: TLSSocket): void {
    secure.on('error', ignore);
    const place = placeOf(secure);
    const known = this.#shaking.get(place);
    this.#shaking.delete(place);
    if (!known) {
      secure.destroy();
      return;
    }
    const inside = connect({ path: this.#path, allowHalfOpen: true }).on('error', ignore);
    inside.write(`${known.name} ${secure.alpnProtocol || ''}\n`);
    secure.pipe(inside);
    inside.pipe(secure);
    const end = () => {
      secure.setTimeout(lastBytesMs, () => secure.destroy());
      if (inside.readableEnded) secure.destroySoon();
      else inside.once('end', () => secure.destroySoon());
    };
    this.#ends.set(known.client, end);
    secure.once('close', () => inside.destroy());
    inside.once('close', () => (inside.readableEnded ? secure.destroySoon() : secure.destroy()));
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function ignore(): void {}
