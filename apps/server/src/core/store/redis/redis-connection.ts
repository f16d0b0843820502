import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { IdleTimeout, type RedisAddress } from '@weir/plane';
import { tls } from '../../secure-modules.ts';
import { type Reply, ReplyError, RespReader } from './resp-reader.ts';

/** A command and what it is about, as the database reads them. */
export type Words = readonly (string | number)[];

/** Silence of a database that owes an answer. A disk that is slow to confirm takes less. */
const mostSilenceMs = 5000;
const mostWaiting = 10_000;
const mostUnsentBytes = 128 * 2 ** 20;

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** The connection is gone. Whether the database did what it had not confirmed is not known. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

/**
 * Connection to a Redis or Valkey. Replies come in the order of commands. Any fault closes it for all waiting callers.
 */
export class RedisConnection {
  readonly #socket: Socket;
  readonly #reader = new RespReader();
  readonly #waiting: Waiting[] = [];
  #patience: IdleTimeout | undefined;
  #isOpen = true;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setKeepAlive(true, 10_000);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('closed by the database')));
  }

  /** Connected, signed in, and in the right database. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const connection = new RedisConnection(await openSocket(address));
    const { user, password, database } = address;
    try {
      if (password !== '') await connection.call(['AUTH', ...(user === '' ? [] : [user]), password]);
      if (database !== 0) await connection.call(['SELECT', database]);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws what the database answers with an error. */
  async call(words: Words): Promise<Reply> {
    const [reply] = await this.callAll([words]);
    if (reply instanceof ReplyError) throw reply;
    return reply ?? null;
  }

  /** Several at once, with nobody's between them; errors are among the answers. */
  callAll(commands: readonly Words[]): Promise<Reply[]> {
    const isFull = this.#waiting.length + commands.length > mostWaiting;
    if (isFull || this.#socket.writableLength > mostUnsentBytes)
      return Promise.reject(new LostConnection('too many requests are waiting for the database'));
    if (!this.#isOpen) return Promise.reject(new LostConnection('the connection is closed'));
    this.#patience ??= new IdleTimeout(mostSilenceMs, () => this.#end(new Error('no answer')));
    const answers = commands.map(
      () => new Promise<Reply>((resolve, reject) => void this.#waiting.push({ resolve, reject })),
    );
    this.#socket.write(Buffer.concat(commands.map(written)));
    return Promise.all(answers);
  }

  close(): void {
    this.#end(new Error('closed'));
  }

  #take(chunk: Buffer): void {
    this.#patience?.refresh();
    try {
      for (const reply of this.#reader.push(chunk)) this.#waiting.shift()?.resolve(reply);
    } catch (error) {
      this.#end(error);
    }
    if (this.#waiting.length > 0) return;
    this.#patience?.end();
    this.#patience = undefined;
  }

  #end(cause: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#patience?.end();
    this.#socket.destroy();
    const error = new LostConnection('the connection to the database was lost', { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

async function openSocket({ host, port, isEncrypted, authority }: RedisAddress): Promise<Socket> {
  const ca = authority === '' ? undefined : await readFile(authority);
  const socket = isEncrypted
    ? tls().connect({ host, port, ...(isIP(host) === 0 && { servername: host }), ...(ca && { ca }) })
    : connect({ host, port });
  try {
    await once(socket, isEncrypted ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(mostSilenceMs) });
    return socket;
  } catch (cause) {
    // Late errors of the socket no longer matter.
    socket.on('error', () => undefined).destroy();
    throw new LostConnection('the database cannot be reached', { cause });
  }
}

function written(words: Words): Buffer {
  const parts = words.map((word) => {
    const bytes = Buffer.from(String(word));
    return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]);
  });
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...parts]);
}
