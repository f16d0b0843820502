import type { Log, RedisAddress } from '@weir/plane';
import type { Clock } from '../../clock.ts';
import { WeirError } from '../../errors.ts';
import { LostConnection, RedisConnection, type Words } from './redis-connection.ts';
import { type Reply, ReplyError } from './resp-reader.ts';

/** The first word of what a database answers, in words that say what to look at. */
const reasons: Record<string, string> = {
  NOAUTH: 'the database requires a password',
  WRONGPASS: 'the database rejected the user name or password',
  NOPERM: 'the database user lacks a required permission',
  LOADING: 'the database is still loading its data',
  READONLY: 'the database is a replica, which cannot be written to',
  MASTERDOWN: 'the database is a replica that lost its primary',
  OOM: 'the database is out of memory',
  MISCONF: 'the database cannot write to its disk',
  BUSY: 'the database is busy running a script',
  MOVED: 'the database is a cluster, which is not supported',
  WRONGTYPE: 'another program uses the same keys; choose another prefix',
  FENCED: 'another server has taken over',
};

/** True if the database failed rather than the caller. */
function isDatabaseFault(error: unknown): error is LostConnection | ReplyError {
  return error instanceof LostConnection || error instanceof ReplyError;
}

function reasonOf(error: LostConnection | ReplyError): string {
  if (error instanceof LostConnection) return error.message;
  const word = /\b[A-Z]{3,}\b/.exec(error.message)?.[0] ?? '';
  return reasons[word] ?? 'see the server log';
}

const shortestWaitMs = 100;
const longestWaitMs = 3000;

interface Context {
  readonly address: RedisAddress;
  readonly log: Log;
  readonly clock: Clock;
  /** Validates a new connection before its first use. */
  readonly check: (connection: RedisConnection) => Promise<void>;
}

/**
 * The way to the database: opened by the first call, and again by calls after a failure, less and less often while it
 * fails. Nothing is sent twice: a call that was not confirmed fails.
 */
export class RedisLink {
  readonly #context: Context;
  #connection: RedisConnection | undefined;
  #opening: Promise<RedisConnection> | undefined;
  #isClosed = false;
  #failures = 0;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #lastFault: Error | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  call(words: Words): Promise<Reply> {
    return this.use((connection) => connection.call(words));
  }

  /** Faults of the database become `store_unavailable`. */
  async use<R>(work: (connection: RedisConnection) => Promise<R>): Promise<R> {
    if (this.#isClosed) throw new WeirError('store_unavailable', 'the server is stopping');
    let connection: RedisConnection | undefined;
    try {
      connection = this.#connection?.isOpen ? this.#connection : await this.#open();
      return await work(connection);
    } catch (error) {
      if (!isDatabaseFault(error)) throw error;
      this.#report(error, connection);
      throw new WeirError('store_unavailable', `settings cannot be read or written right now: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #open(): Promise<RedisConnection> {
    this.#opening ??= this.#tryToOpen().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #tryToOpen(): Promise<RedisConnection> {
    const { address, clock, log, check } = this.#context;
    if (this.#lastFault !== undefined && clock.elapsedMs() < this.#notBeforeMs) throw this.#lastFault;
    let connection: RedisConnection | undefined;
    try {
      connection = await RedisConnection.open(address);
      await check(connection);
    } catch (error) {
      connection?.close();
      this.#lastFault = error instanceof Error ? error : new Error(String(error));
      const waitMs = Math.min(longestWaitMs, shortestWaitMs * 2 ** this.#failures++);
      // Jitter: clients that lost the same database must not all return at the same moment.
      this.#notBeforeMs = clock.elapsedMs() + waitMs * (0.5 + Math.random() / 2);
      throw error;
    }
    if (this.#isClosed) connection.close();
    if (this.#failures > 0) log.info('store is available again');
    this.#failures = 0;
    this.#lastFault = undefined;
    this.#connection = connection;
    return connection;
  }

  /** Once for each loss, not for each call that fails meanwhile. */
  #report(error: Error, connection: RedisConnection | undefined): void {
    const isNew = connection !== undefined || this.#failures === 1;
    if (isNew) this.#context.log.error({ err: error }, 'store failed');
    // A server that became a replica stays one; a new connection may reach its successor.
    if (/^(READONLY|LOADING|MASTERDOWN)/.test(error.message)) connection?.close();
  }
}
