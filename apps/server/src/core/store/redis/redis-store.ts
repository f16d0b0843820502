import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { StoreFault } from '@weir/contract';
import type { Log, RedisAddress } from '@weir/plane';
import type * as z from 'zod';
import { type Clock, systemClock } from '../../clock.ts';
import { WeirError } from '../../errors.ts';
import { Mutex } from '../../mutex.ts';
import { SingleValues } from '../setting.ts';
import { SqliteStore } from '../sqlite-store.ts';
import { type Collection, filterReadable, parseStored, type Store, type StoredRow } from '../store.ts';
import { UnreadableEntries } from '../unreadable-entries.ts';
import { type RedisConnection, type Reply, ReplyError, type Words } from './redis-connection.ts';
import { redisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.ts';
import { snapshotScript, writeScript } from './redis-scripts.ts';

/**
 * Collections whose entries are about files of one data directory: whoever has the files has the entries. In a shared
 * database each data directory has its own, named by its id; two machines with one directory on shared storage have one.
 */
const local = new Set([
  'recordings',
  'record-uploads',
  'uploads',
  'cloud-dvr',
  'cloud-vod',
  'transcript-segments',
  'transcript-cues',
  'ocr-segments',
  'dubbing-projects',
  'dubbing-tasks',
]);
const script = 'dubbing-script-';

/** Collection name in the database. */
function sharedName(collection: string, dataId: string): string {
  return local.has(collection) || collection.startsWith(script) ? `${collection}@${dataId}` : collection;
}

/** Name of a collection without its prefix; undefined if it belongs to another data directory. */
function ownName(shared: string, dataId: string): string | undefined {
  const [collection = '', id = dataId] = shared.split('@');
  return id === dataId ? collection : undefined;
}

interface Setting {
  readonly name: Exclude<StoreFault, 'away'>;
  readonly value: string;
  readonly otherwise: string;
}

/** Database settings needed for durable writes. */
const needed: readonly Setting[] = [
  { name: 'maxmemory-policy', value: 'noeviction', otherwise: 'settings may be evicted when its memory is full' },
  { name: 'appendonly', value: 'yes', otherwise: 'changes since the last snapshot are lost if it crashes' },
  { name: 'appendfsync', value: 'always', otherwise: 'about one second of changes is lost in a power failure' },
];

/** A setting of the database with another value than needed. */
interface Risk {
  readonly fault: Setting['name'];
  readonly setting: string;
  readonly instead: string;
  readonly otherwise: string;
}

/** Missing durability guarantees. Many hosted databases hide their settings, which is no reason to refuse them. */
async function risksOf(connection: Pick<RedisConnection, 'callAll'>): Promise<Risk[]> {
  const answers = await connection.callAll(needed.map(({ name }) => ['CONFIG', 'GET', name]));
  const risks = needed.flatMap(({ name, value, otherwise }, at): Risk[] => {
    const answer = answers[at];
    const found = Array.isArray(answer) ? answer[1] : undefined;
    if (typeof found !== 'string' || found === value) return [];
    return [{ fault: name, setting: `${name} ${found}`, instead: `${name} ${value}`, otherwise }];
  });
  // The sync interval is irrelevant if no file is written.
  const isWritten = risks.every(({ fault }) => fault !== 'appendonly');
  return risks.filter(({ fault }) => isWritten || fault !== 'appendfsync');
}

const format = 1;
/** Retries after a concurrent change. One process makes one change at a time, so these are other processes. */
const mostTries = 100;
const rowsPerCommand = 500;

/** Condition of a write: none, the key is free, or it still has this text. */
type Condition = 'any' | 'free' | { readonly same: string };

interface Options {
  /** Id of the directory with this server's files. */
  readonly dataId?: string;
  readonly clock?: Clock;
}

interface TextChange {
  readonly key: string;
  /** New text; without one the entry is removed. */
  readonly text?: string | undefined;
}

/**
 * Settings in a Redis or Valkey that several control planes may share. Nothing is remembered here, so that all of them read
 * the same; what is one step on a disk is one script there.
 */
export class RedisStore extends SingleValues implements Store {
  /** Number of the lease under which this process writes; empty = without one. */
  fence = '';
  readonly link: RedisLink;
  readonly keys: ReturnType<typeof redisKeys>;
  readonly #dataId: string;
  readonly #log: Log;
  readonly #turns = new Mutex();
  readonly #leftOut: UnreadableEntries;
  #id: string | undefined;

  constructor(address: RedisAddress, log: Log, { dataId = '', clock = systemClock }: Options = {}) {
    super();
    this.#dataId = dataId;
    this.keys = redisKeys(address.prefix);
    this.#log = log;
    this.#leftOut = new UnreadableEntries(log);
    this.link = new RedisLink({ address, log, clock, check: (connection) => this.#greet(connection) });
  }

  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>> {
    type T = z.output<Schema>;
    const shared = sharedName(name, this.#dataId);
    const entries = this.keys.entries(shared);
    const parse = (key: string, text: string): T => parseStored(schema, `${name}/${key}`, text);
    const serialise = (value: T) => JSON.stringify(schema.parse(value));
    const textOf = async (key: string) => (await this.#read(['HGET', entries, key])) as string | null;
    const write = (changes: readonly TextChange[], condition: Condition = 'any') =>
      this.#write(shared, changes, condition);
    return {
      get: async (key) => {
        const text = await textOf(key);
        return text === null ? undefined : parse(key, text);
      },
      list: async () => {
        const rows = pairsOf<string>(await this.#read(['HGETALL', entries])).sort(([a], [b]) => (a < b ? -1 : 1));
        const entry = ([key, text]: [string, string]) => ({ key, value: parse(key, text) });
        return filterReadable(rows, entry, (error) => this.#leftOut.tell(error));
      },
      put: async (key, value) => void (await write([{ key, text: serialise(value) }])),
      insert: async (key, value) => (await write([{ key, text: serialise(value) }], 'free')) > 0,
      update: (key, change) =>
        this.#turns.take(async () => {
          for (let tries = 0; tries < mostTries; tries++) {
            const text = await textOf(key);
            const value = change(text === null ? undefined : parse(key, text));
            const condition = text === null ? 'free' : { same: text };
            if ((await write([{ key, text: serialise(value) }], condition)) > 0) return value;
          }
          throw new WeirError('store_unavailable', 'another server keeps changing this setting; try again');
        }, `${name}/${key}`),
      delete: async (key) => (await write([{ key }])) > 0,
      apply: async (changes) => {
        const texts = changes.map(({ key, value }) =>
          value === undefined ? { key } : { key, text: serialise(value) },
        );
        if (texts.length > 0) await write(texts);
      },
    };
  }

  async check(): Promise<void> {
    await this.#read(['PING']);
  }

  async risks(): Promise<StoreFault[]> {
    return (await this.link.use(risksOf)).map(({ fault }) => fault);
  }

  /** In the form of the other store, so that a copy can be looked at, and be started from, without a database. */
  async backup(file: string): Promise<void> {
    const partial = `${file}.partial`;
    const rows = await this.rows();
    const copy = new SqliteStore(partial, this.#log);
    try {
      await rm(partial, { force: true });
      await copy.replaceRows(rows);
      await copy.close();
      chmodSync(partial, 0o600);
      await rename(partial, file);
    } catch (cause) {
      throw new WeirError('store_unavailable', 'the backup of the settings could not be written', { cause });
    } finally {
      await copy.close();
    }
  }

  /** All rows except those about files on other machines. */
  async rows(): Promise<StoredRow[]> {
    const { collections } = this.keys;
    const all = await this.#read(['EVAL', snapshotScript, 1, collections, this.keys.entries('')]);
    return pairsOf<Reply>(all).flatMap(([shared, entries]) => {
      const collection = ownName(shared, this.#dataId);
      return collection === undefined
        ? []
        : pairsOf<string>(entries).map(([key, value]) => ({ collection, key, value }));
    });
  }

  /** Replaces all rows in one step. */
  async replaceRows(rows: readonly StoredRow[]): Promise<void> {
    const { collections, entries } = this.keys;
    const known = (await this.#read(['SMEMBERS', collections])) as readonly string[];
    const old = known.filter((shared) => ownName(shared, this.#dataId) !== undefined).map(entries);
    const commands: Words[] = [['MULTI'], ...(old.length > 0 ? [['DEL', ...old]] : [])];
    for (const [name, own] of Map.groupBy(rows, ({ collection }) => sharedName(collection, this.#dataId))) {
      commands.push(['SADD', collections, name]);
      for (let at = 0; at < own.length; at += rowsPerCommand) {
        const fields = own.slice(at, at + rowsPerCommand).flatMap(({ key, value }) => [key, value]);
        commands.push(['HSET', entries(name), ...fields]);
      }
    }
    await this.link.write([...commands, ['EXEC']]);
  }

  async close(): Promise<void> {
    this.link.close();
  }

  async #warn(connection: RedisConnection): Promise<void> {
    for (const { setting, instead, otherwise } of await risksOf(connection))
      this.#log.warn({ setting, instead }, `database: ${otherwise}`);
  }

  /** Together with the id of the settings: whoever empties the database does not make this a new server. */
  #read(words: Words): Promise<Reply> {
    return this.link.use(async (connection) => {
      const [id, reply] = await connection.callAll([['HGET', this.keys.format, 'id'], words]);
      for (const each of [id, reply]) if (each instanceof ReplyError) throw each;
      if (id !== this.#id) throw lostSettings();
      return reply ?? null;
    });
  }

  async #write(collection: string, changes: readonly TextChange[], condition: Condition): Promise<number> {
    const [word, expected] = typeof condition === 'string' ? [condition, ''] : ['same', condition.same];
    const words = changes.flatMap(({ key, text }) => (text === undefined ? ['remove', key, ''] : ['put', key, text]));
    const keys = [this.keys.entries(collection), this.keys.collections, this.keys.epoch, this.keys.format];
    return this.link.use(async (connection) => {
      const about = [this.fence, this.#id ?? '', collection, word, expected];
      const [done] = await connection.write([['EVAL', writeScript, keys.length, ...keys, ...about, ...words]]);
      if (done === 'lost') throw lostSettings();
      return Number(done);
    });
  }

  /** Settings of another id, or none, are not those that this process began with. */
  async #greet(connection: RedisConnection): Promise<void> {
    const key = this.keys.format;
    const read = async () => (await connection.call(['HMGET', key, 'version', 'id'])) as readonly (string | null)[];
    let [version, id] = await read();
    if (id === null && this.#id === undefined) {
      await connection.write([
        ['HSETNX', key, 'version', format],
        ['HSETNX', key, 'id', randomUUID()],
      ]);
      [version, id] = await read();
    }
    if (Number(version) > format)
      throw new WeirError(
        'store_unavailable',
        `the settings were written by a newer version of Weir (format ${version})`,
      );
    if (this.#id !== undefined && this.#id !== id) throw lostSettings();
    if (this.#id === undefined) await this.#warn(connection);
    this.#id = id ?? undefined;
  }
}

function lostSettings(): WeirError {
  const what = 'the database no longer contains the settings of this server';
  return new WeirError('store_unavailable', `${what}; restore them, or restart the server to use its current content`);
}

/** `[key, value, key, value, …]` */
function pairsOf<Value extends Reply>(reply: Reply): [string, Value][] {
  const flat = Array.isArray(reply) ? (reply as readonly Reply[]) : [];
  return Array.from({ length: flat.length / 2 }, (_, n) => [String(flat[2 * n]), flat[2 * n + 1] as Value]);
}
