import type { Log, RedisAddress } from '@weir/plane';
import type { Clock } from '../../clock.ts';
import { WeirError } from '../../errors.ts';
import { openPrimary } from './primary-connection.ts';
import {
  LostConnection,
  type RedisConnection,
  type Reply,
  ReplyError,
  TooFewReplicas,
  type Words,
} from './redis-connection.ts';

/** Words that a database begins its errors with, as sentences that say what to look at. */
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
  NOREPLICAS: 'the database has too few replicas',
  CLUSTERDOWN: 'the cluster lacks some of its servers',
  TRYAGAIN: 'the cluster is moving data',
  ASK: 'the cluster is moving data',
  MOVED: 'the server for these keys is another one; for a cluster, use redis+cluster://',
  WRONGTYPE: 'another program uses the same keys; choose another prefix',
  FENCED: 'another server has taken over',
};

/** Errors after which another server may be the primary. */
const stale = new Set(['READONLY', 'LOADING', 'MASTERDOWN', 'MOVED', 'CLUSTERDOWN']);

type DatabaseFault = LostConnection | ReplyError | TooFewReplicas;

/** True if the database failed rather than the caller. */
function isDatabaseFault(error: unknown): error is DatabaseFault {
  return error instanceof LostConnection || error instanceof ReplyError || error instanceof TooFewReplicas;
}

/** The word that explains an error. Redis 6 puts others before it if a script failed. */
function findWord(error: DatabaseFault): string {
  return error.message.match(/\b[A-Z]{3,}\b/g)?.find((word) => word in reasons) ?? '';
}

function describe(error: DatabaseFault): string {
  return error instanceof ReplyError ? (reasons[findWord(error)] ?? 'see the server log') : error.message;
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

  /** Throws if too few replicas have the changes. */
  write(commands: readonly Words[]): Promise<Reply[]> {
    return this.use((connection) => connection.write(commands));
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
      throw new WeirError('store_unavailable', `settings cannot be read or written right now: ${describe(error)}`, {
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
      connection = await openPrimary(address);
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

  /** Logs a loss of the connection once, and not every call that fails meanwhile. */
  #report(error: DatabaseFault, connection: RedisConnection | undefined): void {
    const isNew = connection !== undefined || this.#failures === 1;
    if (isNew) this.#context.log.error({ err: error }, 'store failed');
    // This server became a replica, or is cut off from its replicas: the next call looks up the primary again.
    if (error instanceof TooFewReplicas || stale.has(findWord(error))) connection?.retire();
  }
}
