import { readFile } from 'node:fs/promises';
import { IdleTimeout, type RedisAddress, type ServerAddress } from '@weir/plane';

/** Name and arguments of a command. */
export type Words = readonly (string | number)[];

/** Reply of the database: strings, numbers, null, lists, and errors as values. */
export type Reply = string | number | null | ReplyError | readonly Reply[];

/** Time without an answer after which a connection counts as dead. A slow disk confirms earlier. */
const mostSilenceMs = 5000;
/** Wait for replicas. It is short, because reads queue behind it. */
const replicasWithinMs = 1000;
const mostWaiting = 10_000;
const mostUnconfirmedBytes = 128 * 2 ** 20;

/** Thrown when the connection is gone. It is unknown whether unconfirmed commands were executed. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

/** Refusal of the database. The first word of the message is the reason: `NOAUTH`, `LOADING`, `READONLY`. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

/** The primary has the change, but too few replicas confirmed it: a failover could lose it. */
export class TooFewReplicas extends Error {
  override readonly name = 'TooFewReplicas';
}

/** Connection settings without the server's address. */
export type Access = Pick<RedisAddress, 'tls' | 'user' | 'password' | 'database' | 'replicas'>;

/** Connection to one Redis or Valkey server. Replies come in the order of commands. Any fault closes it for all waiting callers. */
export class RedisConnection {
  readonly #client: Client;
  readonly #replicas: number;
  readonly #readReply: (reply: unknown) => Reply;
  #waiting = 0;
  #unconfirmedBytes = 0;
  #silence: IdleTimeout | undefined;
  #fault: Error | undefined;
  #isRetired = false;

  private constructor(client: Client, replicas: number, readReply: (reply: unknown) => Reply) {
    this.#client = client;
    this.#replicas = replicas;
    this.#readReply = readReply;
  }

  /** Resolves once connected, signed in, and in the right database. */
  static async open(server: ServerAddress, access: Access, withinMs = mostSilenceMs): Promise<RedisConnection> {
    // Loaded here, because the client takes twenty megabytes of memory.
    const { ErrorReply } = await import('@redis/client');
    const client = await createClient(server, access, withinMs);
    // The sign-in has no timeout of its own.
    const timer = setTimeout(() => client.destroy(), withinMs);
    try {
      await client.connect();
    } catch (cause) {
      client.destroy();
      if (cause instanceof ErrorReply) throw new ReplyError(cause.message);
      throw new LostConnection('the database cannot be reached', { cause });
    } finally {
      clearTimeout(timer);
    }
    const readReply = (reply: unknown): Reply => {
      if (reply instanceof ErrorReply) return new ReplyError(reply.message);
      return Array.isArray(reply) ? reply.map(readReply) : (reply as Reply);
    };
    return new RedisConnection(client, access.replicas, readReply);
  }

  /** False also after `retire`. */
  get isOpen(): boolean {
    return this.#client.isReady && !this.#isRetired;
  }

  /** Sends one command. Throws if the database answers with an error. */
  async call(words: Words): Promise<Reply> {
    const [reply] = await this.callAll([words]);
    if (reply instanceof ReplyError) throw reply;
    return reply ?? null;
  }

  /** Sends several commands without others in between. Errors are among the replies. */
  async callAll(commands: readonly Words[]): Promise<Reply[]> {
    const texts = commands.map((words) => words.map(String));
    const bytes = texts.flat().reduce((total, text) => total + text.length, 0);
    if (this.#waiting + commands.length > mostWaiting || this.#unconfirmedBytes + bytes > mostUnconfirmedBytes)
      throw new LostConnection('too many requests are waiting for the database');
    this.#waiting += commands.length;
    this.#unconfirmedBytes += bytes;
    this.#silence ??= new IdleTimeout(mostSilenceMs, () => this.#end(new Error('no answer')));
    try {
      return await Promise.all(texts.map((words) => this.#send(words)));
    } finally {
      this.#unconfirmedBytes -= bytes;
    }
  }

  /** Works like `callAll`, but throws errors, and confirms changes only after enough replicas have them. */
  async write(commands: readonly Words[]): Promise<Reply[]> {
    const wait: Words[] = this.#replicas === 0 ? [] : [['WAIT', this.#replicas, replicasWithinMs]];
    const replies = await this.callAll([...commands, ...wait]);
    // The outcome of a transaction explains more than the replies to its commands.
    for (const reply of [...replies.slice(0, commands.length)].reverse().flat())
      if (reply instanceof ReplyError) throw reply;
    const confirmed = wait.length === 0 ? 0 : replies.pop();
    if (confirmed instanceof ReplyError) throw confirmed;
    if (Number(confirmed) < this.#replicas) throw new TooFewReplicas('no replica of the database confirmed the change');
    return replies;
  }

  /** Closes the connection after the last pending reply. */
  retire(): void {
    this.#isRetired = true;
    if (this.#waiting === 0) this.close();
  }

  close(): void {
    this.#end(new Error('closed'));
  }

  async #send(words: string[]): Promise<Reply> {
    try {
      return this.#readReply(await this.#client.sendCommand(words).catch((error: unknown) => this.#readFault(error)));
    } finally {
      this.#waiting -= 1;
      this.#silence?.refresh();
      if (this.#waiting === 0) this.#rest();
    }
  }

  /** Returns an error that the database sent; any other is one of the connection. */
  #readFault(error: unknown): ReplyError {
    const reply = this.#readReply(error);
    if (reply instanceof ReplyError) return reply;
    throw new LostConnection('the connection to the database was lost', { cause: this.#fault ?? error });
  }

  #rest(): void {
    this.#silence?.end();
    this.#silence = undefined;
    if (this.#isRetired) this.close();
  }

  #end(fault: Error): void {
    this.#fault ??= fault;
    this.#client.destroy();
  }
}

type Client = Awaited<ReturnType<typeof createClient>>;

async function createClient({ host, port }: ServerAddress, access: Access, withinMs: number) {
  const redis = await import('@redis/client');
  const { user, password, database } = access;
  const options = {
    // Flat lists for hashes, and no commands of the client's own at the start, which a restricted user may not be allowed.
    RESP: 2 as const,
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
    // Disables the offline queue and resends.
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    database,
    ...(user !== '' && { username: user }),
    ...(password !== '' && { password }),
    socket: {
      host,
      port,
      connectTimeout: withinMs,
      keepAliveInitialDelay: 10_000,
      reconnectStrategy: false as const,
      ...(access.tls && { tls: true as const, ...(await readTls(access.tls)) }),
    },
  };
  // Failed commands reject on their own; no further handler is needed.
  return redis.createClient(options).on('error', () => undefined);
}

async function readTls({ ca, cert, key, servername }: NonNullable<Access['tls']>) {
  const read = async (name: 'ca' | 'cert' | 'key', file: string) =>
    file === '' ? {} : { [name]: await readFile(file) };
  return {
    ...(await read('ca', ca)),
    ...(await read('cert', cert)),
    ...(await read('key', key)),
    ...(servername !== '' && { servername }),
  };
}
