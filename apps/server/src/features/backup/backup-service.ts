import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Alert,
  type BackupResult,
  type BackupSettings,
  type BackupStatus,
  type BackupTest,
  isBucketComplete,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import type { BackupKey, BackupRepository } from '../../backup/backup-repository.ts';
import { type BackupSource, backupName, makeBackup, makingPrefix } from '../../backup/make-backup.ts';
import { createRecoveryKey } from '../../backup/recovery-key.ts';
import { isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { secretFor } from '../../uploads/bucket-settings.ts';
import { S3Error } from '../../uploads/s3-error.ts';
import { type BackupDestination, describeFileError, openDestination } from './backup-destination.ts';
import { dueBackup } from './backup-schedule.ts';

interface Context {
  readonly source: BackupSource;
  readonly repository: BackupRepository;
  readonly outgoing: OutgoingClient;
  /** Directory for scheduled backups. */
  readonly directory: string;
  readonly log: Log;
}

/** Makes backups: for download, on demand and by schedule. */
export class BackupService {
  readonly #context: Context;
  #running: Promise<BackupResult> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  async query(): Promise<BackupStatus> {
    const { repository, directory, source } = this.#context;
    const [settings, shown] = [await repository.settings(), await repository.shownSettings()];
    const key = await repository.key();
    const state = await repository.state();
    const next = key && dueBackup(settings, state, source.clock.dateMs());
    const files = await repository.files(this.#destination(settings).place);
    return {
      settings: shown,
      recipient: key?.recipient ?? '',
      keyCreatedAt: key?.createdAt ?? '',
      directory,
      running: this.#running !== undefined,
      last: state.last,
      next: next === undefined ? '' : new Date(next).toISOString(),
      files: files.map(({ name, atMs, bytes }) => ({ name, at: new Date(atMs).toISOString(), bytes })),
    };
  }

  async apply(change: BackupSettings): Promise<void> {
    const { repository, source, log } = this.#context;
    const before = await repository.settings();
    const settings = this.#withSecret(before, change);
    if (settings.schedule !== 'off') await this.#key();
    await repository.saveSettings(settings);
    const isOther = (['schedule', 'weekday', 'time'] as const).some((name) => before[name] !== settings[name]);
    // A new schedule begins now: it makes up for nothing that the old one missed.
    await repository.changeState((state) => ({
      ...state,
      ...(isOther && { sinceMs: source.clock.dateMs() }),
      failures: 0,
    }));
    log.info({ schedule: settings.schedule, destination: settings.destination }, 'settings of backups saved');
  }

  async createKey(): Promise<{ identity: string; recipient: string }> {
    const { repository, source, log } = this.#context;
    const { identity, recipient, sealKey } = createRecoveryKey();
    await repository.saveKey({ recipient, sealKey, createdAt: isoNow(source.clock) });
    log.info('recovery key of backups created');
    return { identity, recipient };
  }

  async test(change: BackupSettings): Promise<BackupTest> {
    const settings = this.#withSecret(await this.#context.repository.settings(), change);
    if (settings.destination === 'bucket' && !isBucketComplete(settings.bucket))
      throw new WeirError('missing_field', 'endpoint, bucket, access key and secret key are required');
    return this.#destination(settings).test();
  }

  /** Begins a backup; one at a time. */
  async start(): Promise<void> {
    await this.#key();
    this.#run().catch(() => undefined);
  }

  async download(): Promise<{ name: string; content: Readable }> {
    const { source, repository, log } = this.#context;
    const { recordings } = await repository.settings();
    const made = makeBackup(source, { ...(await this.#key()), recordings });
    // Behind the header comes content: what fails until then is answered in words.
    const begin = [await made.next(), await made.next()];
    const all = async function* () {
      for (const { done, value } of begin) if (!done) yield value;
      yield* made;
    };
    const content = Readable.from(all(), { objectMode: false });
    content.on('error', (error) => log.error({ err: error }, 'backup could not be sent'));
    return { name: backupName(source.clock.dateMs()), content };
  }

  /** Makes the backup that is due. */
  async runDue(): Promise<void> {
    const { repository, source } = this.#context;
    if (!(await repository.key())) return;
    const dueMs = dueBackup(await repository.settings(), await repository.state(), source.clock.dateMs());
    if (dueMs !== undefined && dueMs <= source.clock.dateMs()) await this.#run();
  }

  async alerts(): Promise<Alert[]> {
    const { repository } = this.#context;
    const { failures, firstFailedAtMs, last } = await repository.state();
    if (failures === 0) return [];
    return [
      {
        kind: 'backup',
        severity: 'bad',
        since: new Date(firstFailedAtMs).toISOString(),
        count: failures,
        place: { page: 'settings', tab: 'backup', child: '' },
        subject: '',
        label: '',
        cause: last?.failure ?? '',
      },
    ];
  }

  /** Resolves when no backup is being made. */
  async close(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  #run(): Promise<BackupResult> {
    this.#running ??= this.#once().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #once(): Promise<BackupResult> {
    const { repository, source, log } = this.#context;
    const { clock } = source;
    const beganMs = clock.elapsedMs();
    const nowMs = clock.dateMs();
    const name = backupName(nowMs);
    const facts = { at: new Date(nowMs).toISOString(), name };
    const tookMs = () => Math.round(clock.elapsedMs() - beganMs);
    try {
      const settings = await repository.settings();
      const destination = this.#destination(settings);
      const bytes = await this.#write(name, settings, destination);
      await repository.addFile(name, { atMs: nowMs, bytes, place: destination.place });
      await this.#removeOld(destination, settings.keep);
      const done = { failure: '', storage: '', error: '' } as const;
      const result: BackupResult = { ...facts, ok: true, bytes, tookMs: tookMs(), ...done };
      await repository.changeState((state) => ({ ...state, sinceMs: nowMs, failures: 0, last: result }));
      log.info({ name, bytes, tookMs: result.tookMs }, 'backup made');
      return result;
    } catch (error) {
      const result: BackupResult = { ...facts, ok: false, bytes: 0, tookMs: tookMs(), ...describeFailure(error) };
      log.error({ err: error, failure: result.failure }, 'backup failed');
      await repository.changeState((state) => ({
        ...state,
        failures: state.failures + 1,
        failedAtMs: nowMs,
        firstFailedAtMs: state.failures === 0 ? nowMs : state.firstFailedAtMs,
        last: result,
      }));
      return result;
    }
  }

  /** Through a file of this server: the signature of a storage needs the hash first, and a copy must be whole. */
  async #write(name: string, { recordings }: BackupSettings, destination: BackupDestination): Promise<number> {
    const { source } = this.#context;
    const folder = join(source.config.dataDir, 'backup');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, makingPrefix + name);
    try {
      const made = makeBackup(source, { ...(await this.#key()), recordings });
      await pipeline(Readable.from(made, { objectMode: false }), createWriteStream(file, { mode: 0o600 }));
      const { size } = await stat(file);
      await destination.write(name, file, size);
      return size;
    } finally {
      await rm(file, { force: true });
    }
  }

  /** One that cannot be removed is tried again after the next backup. */
  async #removeOld(destination: BackupDestination, keep: number): Promise<void> {
    const { repository, log } = this.#context;
    for (const { name } of (await repository.files(destination.place)).slice(keep)) {
      try {
        await destination.remove(name);
        await repository.forgetFile(name);
      } catch (error) {
        log.warn({ err: error, name }, 'old backup could not be removed');
      }
    }
  }

  async #key(): Promise<BackupKey> {
    const key = await this.#context.repository.key();
    if (!key) throw new WeirError('invalid_input', 'create the recovery key first');
    return key;
  }

  #destination(settings: BackupSettings): BackupDestination {
    const { directory, outgoing, source } = this.#context;
    return openDestination(settings, { directory, outgoing, clock: source.clock });
  }

  #withSecret(stored: BackupSettings, next: BackupSettings): BackupSettings {
    return { ...next, bucket: { ...next.bucket, secretAccessKey: secretFor(stored.bucket, next.bucket) } };
  }
}

function describeFailure(error: unknown): Pick<BackupResult, 'failure' | 'storage' | 'error'> {
  if (error instanceof S3Error) return { failure: 'storage', storage: error.failure, error: error.message };
  if (error instanceof WeirError)
    return {
      failure: error.kind === 'store_unavailable' ? 'settings' : 'other',
      storage: '',
      error: errorMessage(error),
    };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return { failure: 'disk', storage: '', error: describeFileError(error) };
  return { failure: code === '' ? 'other' : 'directory', storage: '', error: describeFileError(error) };
}
