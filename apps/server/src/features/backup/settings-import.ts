import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportFault, ImportReport, importsApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type * as z from 'zod';
import { makingPrefix } from '../../backup/make-backup.ts';
import type { RestoreFolder, RestoreTarget } from '../../backup/restore-folder.ts';
import { WeirError } from '../../core/errors.ts';
import { readStoredRows } from '../../core/store/database-file.ts';
import { placeOf } from '../../core/store/store.ts';
import { ConfigTextError } from '../../migrate/import/brace-config.ts';
import { planImport, readImport } from '../../migrate/plan-import.ts';

interface Context {
  readonly target: Pick<RestoreTarget, 'config' | 'store' | 'clock'>;
  readonly restores: Pick<RestoreFolder, 'add'>;
  readonly log: Log;
}

type Wish = z.output<(typeof importsApi)['apply']['body']>;

/** Takes over the configuration file of another server. The file is sent twice: to look at the report, and to import it. */
export class SettingsImport {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async inspect(wish: Wish): Promise<ImportReport> {
    return (await this.#plan(wish)).report;
  }

  /** Rows are written at the next start of the control server, in one step. */
  async apply(wish: Wish): Promise<ImportReport> {
    const { restores, log } = this.#context;
    const { rows, report } = await this.#plan(wish);
    if (rows.length === 0) throw refuse('empty', 'nothing in this file can be imported');
    await restores.add(rows);
    log.info({ format: wish.format, rows: rows.length }, 'import accepted; the control server restarts to write it');
    return report;
  }

  async #plan({ format, text, replaces }: Wish) {
    const parts = readParts(format, text, new Date(this.#context.target.clock.dateMs()));
    const present = await this.#places();
    return planImport(parts, { has: (row) => present.has(placeOf(row)) }, replaces);
  }

  /** Names of all stored values, from a copy: the store lists single collections only. */
  async #places(): Promise<ReadonlySet<string>> {
    const { config, store } = this.#context.target;
    const folder = join(config.dataDir, 'backup');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const work = await mkdtemp(join(folder, makingPrefix));
    try {
      const copy = join(work, 'settings.db');
      await store.backup(copy);
      const places = new Set<string>();
      for (const row of readStoredRows(copy)) places.add(placeOf(row));
      return places;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}

function readParts(format: Wish['format'], text: string, now: Date) {
  try {
    return readImport(format, text, now);
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    throw refuse('unreadable', `the file is no configuration of ${format}: ${error.message}`, error);
  }
}

/** Error for a file that is not imported. No setting was changed. */
function refuse(fault: ImportFault, message: string, cause?: unknown): WeirError {
  return new WeirError('invalid_input', message, { cause, why: { kind: `import-${fault}`, fact: '' } });
}
