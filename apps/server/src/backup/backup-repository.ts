import { BackupResult, BackupSettings, maskKey, S3BucketInput } from '@weir/contract';
import * as z from 'zod';
import type { Setting, Single } from '../core/store/setting.ts';
import type { Collection, Store } from '../core/store/store.ts';

/** Public half of the recovery key, and the key that seals backups. */
const BackupKey = z.object({ recipient: z.string(), sealKey: z.string(), createdAt: z.string() });
export type BackupKey = z.output<typeof BackupKey>;

/** Of this machine; not part of a backup. */
const BackupState = z.object({
  sinceMs: z.number().default(0),
  failures: z.int().default(0),
  failedAtMs: z.number().default(0),
  firstFailedAtMs: z.number().default(0),
  last: BackupResult.nullable().default(null),
});
type BackupState = z.output<typeof BackupState>;

const StoredFile = z.object({ atMs: z.number(), bytes: z.number(), place: z.string() });
type StoredFile = z.output<typeof StoredFile>;

const Stored = BackupSettings.extend({ bucket: S3BucketInput });

/** Stored settings, key and results of backups. */
export class BackupRepository {
  readonly #settings: Setting<BackupSettings>;
  readonly #key: Single<BackupKey>;
  readonly #state: Setting<BackupState>;
  readonly #files: Collection<StoredFile>;

  constructor(store: Store) {
    this.#settings = store.setting('backup/settings', Stored);
    this.#key = store.single('backup/key', BackupKey);
    this.#state = store.setting('backup-state/state', BackupState);
    this.#files = store.collection('backup-files', StoredFile);
  }

  settings(): Promise<BackupSettings> {
    return this.#settings.read();
  }

  async shownSettings(): Promise<BackupSettings> {
    const settings = await this.#settings.read();
    return { ...settings, bucket: { ...settings.bucket, secretAccessKey: maskKey(settings.bucket.secretAccessKey) } };
  }

  saveSettings(settings: BackupSettings): Promise<void> {
    return this.#settings.put(settings);
  }

  key(): Promise<BackupKey | undefined> {
    return this.#key.get();
  }

  saveKey(key: BackupKey): Promise<void> {
    return this.#key.put(key);
  }

  state(): Promise<BackupState> {
    return this.#state.read();
  }

  changeState(change: (current: BackupState) => BackupState): Promise<BackupState> {
    return this.#state.update(change);
  }

  /** Backups in this place, newest first. */
  async files(place: string): Promise<({ readonly name: string } & StoredFile)[]> {
    const found = (await this.#files.list()).filter(({ value }) => value.place === place);
    return found.map(({ key, value }) => ({ name: key, ...value })).sort((a, b) => b.atMs - a.atMs);
  }

  addFile(name: string, file: StoredFile): Promise<void> {
    return this.#files.put(name, file);
  }

  async forgetFile(name: string): Promise<void> {
    await this.#files.delete(name);
  }
}
