import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportFormat, ImportItem } from '@weir/contract';
import type { Config, Log, RedisAddress } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { readDataId } from '../core/store/redis/data-id.ts';
import { readKeys } from '../core/store/redis/read-keys.ts';
import { redisKeys } from '../core/store/redis/redis-keys.ts';
import { RedisStore } from '../core/store/redis/redis-store.ts';
import { SqliteStore } from '../core/store/sqlite-store.ts';
import { placeOf, type StoredRow } from '../core/store/store.ts';
import { ConfigTextError } from './import/brace-config.ts';
import type { ImportPart } from './import/import-part.ts';
import { oryxSettings } from './oryx-settings.ts';
import { describeItem, type ImportWords, planImport, readImport } from './plan-import.ts';

type Place = 'sqlite' | 'redis';

interface Wish {
  /** `oryx`: the Redis of an Oryx, which is only read. `format`: a configuration file of another server. */
  readonly from: Place | { readonly oryx: RedisAddress } | { readonly format: ImportFormat; readonly file: string };
  readonly to: Place;
  readonly isDry: boolean;
  /** Overwrites existing data. */
  readonly replaces: boolean;
}

interface Context {
  readonly config: Pick<Config, 'dataDir' | 'filesDir' | 'store'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly say: (line: string) => void;
  readonly words: ImportWords;
}

/** Problem that a person must resolve first. */
class MigrateError extends Error {
  override readonly name = 'MigrateError';
}

/** Copies all settings from one store to another, or takes over those of an Oryx or another server. The target changes as one step, or not at all. */
export async function migrate({ from, to, isDry, replaces }: Wish, context: Context): Promise<void> {
  const { say } = context;
  if (from === to) throw new MigrateError('--from and --to are the same.');
  if (typeof from === 'string' && !(await isThere(from, context))) throw nothing();
  const read = (there: readonly StoredRow[]) =>
    typeof from === 'string' ? copied(from, there, replaces, context) : takenOver(from, there, replaces, context);
  // Opening a store that is not there yet would make it.
  if (isDry && !(await isThere(to, context))) {
    await read([]);
    return say('Dry run: nothing was written.');
  }
  const target = open(to, context);
  try {
    const there = await target.rows();
    const rows = await read(there);
    if (isDry) return say('Dry run: nothing was written.');
    if (there.length > 0) await target.backup(backupFile(context, say));
    await target.replaceRows(rows);
    if (textOf(await target.rows()) !== textOf(rows))
      throw new MigrateError('Verification failed: the copied settings differ from the source.');
    say(`${rows.length} entries were written to ${to} and verified.`);
  } finally {
    await target.close();
  }
}

async function copied(
  from: Place,
  there: readonly StoredRow[],
  replaces: boolean,
  context: Context,
): Promise<readonly StoredRow[]> {
  const source = open(from, context);
  try {
    const rows = await source.rows();
    if (rows.length === 0) throw nothing();
    for (const [collection, own] of Map.groupBy(rows, (row) => row.collection))
      context.say(`  ${String(own.length).padStart(6)}  ${collection}`);
    if (there.length > 0 && !replaces)
      throw new MigrateError(`The target already has ${there.length} entries. Add --replace to replace them.`);
    return rows;
  } finally {
    await source.close();
  }
}

/** Beside what the target has; of what both have, the target's stays unless it is to be replaced. */
async function takenOver(
  from: Exclude<Wish['from'], Place>,
  there: readonly StoredRow[],
  replaces: boolean,
  { clock, say, words }: Context,
): Promise<readonly StoredRow[]> {
  const now = new Date(clock.dateMs());
  const merged = new Map(there.map((row) => [placeOf(row), row]));
  const isOryx = 'oryx' in from;
  const parts = isOryx ? oryxSettings(await readKeys(from.oryx, 'SRS_'), now) : readFile(from, now);
  if (isOryx && parts.length === 0)
    throw new MigrateError('This database has no Oryx settings: no key begins with SRS_.');
  const { rows, report } = planImport(parts, { has: (row) => merged.has(placeOf(row)) }, replaces);
  const line = (item: ImportItem) => describeItem(item, words);
  say('Migrated:');
  for (const { name, note } of report.taken.map(line)) say(`  ${name}${note === '' ? '' : ` (${note})`}`);
  say('Not migrated:');
  for (const { name, note } of report.left.map(line)) say(`  ${name}: ${note}`);
  if (report.left.some(({ note }) => note === 'isSet'))
    say('  --replace overwrites what is set with the imported values');
  if (isOryx) say('  Password: not in this database; set one in the console, or with MGMT_PASSWORD');
  for (const row of rows) merged.set(placeOf(row), row);
  return [...merged.values()];
}

const mostImportBytes = 4 * 1024 * 1024;

function readFile({ format, file }: { format: ImportFormat; file: string }, now: Date): ImportPart[] {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) throw new MigrateError(`There is no file ${file}.`);
  if (facts.size > mostImportBytes) throw new MigrateError('The file is larger than any configuration: 4 MB at most.');
  try {
    return readImport(format, readFileSync(file, 'utf8'), now);
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    throw new MigrateError(`The file can't be imported as ${format}: ${error.message}.`, { cause: error });
  }
}

function nothing(): MigrateError {
  return new MigrateError('There are no settings to copy. Set WEIR_DATA and WEIR_STORE as for the server.');
}

async function isThere(place: Place, { config }: Context): Promise<boolean> {
  if (place === 'sqlite') return existsSync(join(config.dataDir, 'weir.db'));
  const address = addressOf(config);
  return (await readKeys(address, redisKeys(address.prefix).format)).size > 0;
}

function open(place: Place, { config, log, clock }: Context) {
  const { dataDir, filesDir } = config;
  return place === 'sqlite'
    ? new SqliteStore(join(dataDir, 'weir.db'), log, undefined, clock)
    : new RedisStore(addressOf(config), log, { dataId: readDataId(filesDir), clock });
}

function addressOf({ store }: Context['config']): RedisAddress {
  if (store.kind === 'redis') return store;
  throw new MigrateError('Set WEIR_STORE to the redis:// address of the database.');
}

function backupFile({ config, clock }: Context, say: Context['say']): string {
  const directory = join(config.dataDir, 'backup');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = `before-migrate-${new Date(clock.dateMs()).toISOString().replace(/[:.]/g, '-')}.db`;
  say(`The previous settings are kept in backup/${name}.`);
  return join(directory, name);
}

/** Equal for equal entries in any order. */
function textOf(rows: readonly StoredRow[]): string {
  return rows
    .map(({ collection, key, value }) => JSON.stringify([collection, key, value]))
    .sort()
    .join('\n');
}
