import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RestorePlan } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { copyDatabase, countRows } from '../core/store/database-file.ts';
import { openStore } from '../core/store/open-store.ts';
import { BackupRepository } from './backup-repository.ts';
import { finishRestore } from './finish-restore.ts';
import { type BackupSource, backupName, makeBackup } from './make-backup.ts';
import { createRecoveryKey } from './recovery-key.ts';
import { RestoreFolder, type RestoreTarget } from './restore-folder.ts';
import { databases } from './stage-backup.ts';

interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

/** Problem that a person must resolve first. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

interface BackupWish {
  /** File or directory; empty for the directory of scheduled backups. */
  readonly to: string;
  /** File for a new recovery key. */
  readonly newKey: string;
  readonly recordings: boolean;
}

/** `npm run backup`: also while the server runs. */
export async function runBackup({ to, newKey, recordings }: BackupWish, context: Context): Promise<string> {
  const { config, log, clock, say } = context;
  if (config.store.kind === 'sqlite' && !existsSync(join(config.dataDir, 'weir.db')))
    throw new CommandError(`There are no settings in ${config.dataDir}. Set WEIR_DATA as for the server.`);
  const store = openStore(config, log, clock);
  try {
    const repository = new BackupRepository(store);
    if (newKey !== '') {
      const { identity, recipient, sealKey } = createRecoveryKey();
      await writeFile(newKey, `# Recovery key for backups of Weir\n# public: ${recipient}\n${identity}\n`, {
        flag: 'wx',
        mode: 0o600,
      });
      await repository.saveKey({ recipient, sealKey, createdAt: new Date(clock.dateMs()).toISOString() });
      say(`The recovery key is in ${newKey}. Store it outside this server: nothing else opens backups.`);
    }
    const key = await repository.key();
    if (!key) throw new CommandError('There is no recovery key yet. Add --new-key FILE, or create it in the console.');
    const isFile = to !== '' && !to.endsWith('/') && !existsSync(join(to, '.'));
    const directory = isFile ? '' : to || config.backupDir;
    if (directory !== '') await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = isFile ? to : join(directory, backupName(clock.dateMs()));
    const made = makeBackup({ config, store, ...indexesOf(config), clock }, { ...key, recordings });
    try {
      await pipeline(Readable.from(made, { objectMode: false }), createWriteStream(`${file}.part`, { mode: 0o600 }));
      await rename(`${file}.part`, file);
    } finally {
      await rm(`${file}.part`, { force: true });
    }
    say(`Backup written to ${file}`);
    return file;
  } finally {
    await store.close();
  }
}

interface RestoreWish {
  readonly file: string;
  /** File with the recovery key; lines that begin with # are comments. */
  readonly keyFile: string;
  readonly isDry: boolean;
}

/** `npm run restore`: while the server is stopped. */
export async function runRestore({ file, keyFile, isDry }: RestoreWish, context: Context): Promise<void> {
  const { config, log, clock, say } = context;
  const text = await readFile(keyFile, 'utf8').catch(() => {
    throw new CommandError(`The recovery key could not be read from ${keyFile}.`);
  });
  const key = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  // One that was accepted before comes first.
  await finishRestore({ config, log, clock });
  const store = openStore(config, log, clock);
  const folder = new RestoreFolder({ config, store, ...indexesOf(config), clock });
  try {
    await folder.receive(createReadStream(file), undefined);
    const plan = await folder.inspect(key);
    for (const line of describePlan(plan)) say(line);
    if (isDry) {
      await folder.discard();
      return say('Dry run: nothing was changed.');
    }
    await folder.commit(plan.id);
  } catch (error) {
    await folder.discard().catch(() => undefined);
    throw error;
  } finally {
    await store.close();
  }
  await finishRestore({ config, log, clock });
  say('The backup was restored. The previous settings are in the folder backup of the data directory.');
}

/** Databases beside the settings, opened by nobody else's leave: a running server may write them. */
function indexesOf({ dataDir, filesDir }: Config): Pick<RestoreTarget & BackupSource, 'timelines' | 'transcripts'> {
  const index = (name: keyof typeof databases) => {
    const file = join(dataDir, name);
    // Indexes that several servers share have other names and no locks.
    const isThere = () => filesDir === dataDir && existsSync(file);
    return {
      copyTo: async (to: string) => {
        if (!isThere()) return false;
        await copyDatabase(file, to);
        return true;
      },
      count: () => (isThere() ? (countRows(file, databases[name]) ?? 0) : 0),
    };
  };
  return { timelines: index('timeline.db'), transcripts: index('words.db') };
}

const partNames: Record<RestorePlan['changes'][number]['part'], string> = {
  account: 'Password and API secret',
  publishing: 'Stream keys and publish secret',
  viewing: 'Watch rules and pages',
  forward: 'Forwarding',
  vlive: 'Virtual live',
  camera: 'Cameras',
  programs: 'Programs',
  transcode: 'Transcoding',
  record: 'Recording',
  recordings: 'List of recordings',
  cloud: 'Cloud recording',
  transcript: 'Subtitles',
  ocr: 'OCR',
  dubbing: 'Dubbing',
  rooms: 'Live rooms',
  ai: 'AI',
  callbacks: 'Callbacks',
  notifications: 'Notifications',
  https: 'HTTPS',
  site: 'Site and platform',
  delivery: 'HLS, limits and edges',
  sources: 'Media sources',
  backup: 'Backup',
  other: 'Other settings',
};

/** What a restore changes, in the words of the console. */
function describePlan(plan: RestorePlan): string[] {
  const changes = plan.changes.map(({ part, ...counts }) => {
    const words = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
    return `  ${partNames[part]}: ${words.join(', ')}`;
  });
  const count = (name: string, counts: RestorePlan['broadcasts']) =>
    counts && counts.before !== counts.after ? [`  ${name}: ${counts.before} now, ${counts.after} after`] : [];
  const others = [
    ...(plan.certificate === 'replaced' ? ['  Certificate: replaced by that of the backup'] : []),
    ...count('Broadcasts in the timeline', plan.broadcasts),
    ...count('Lines of transcripts', plan.transcripts),
    ...(plan.recordings ? [] : ['  List of recordings: stays as it is']),
    ...(plan.password ? ['  Sign in with the password of the backup afterwards.'] : []),
    ...(plan.apiSecret ? ['  Scripts need the API secret of the backup afterwards.'] : []),
  ];
  const lines = [...changes, ...others];
  return [
    `Backup of ${plan.createdAt}, Weir ${plan.version}. Restoring it changes:`,
    ...(lines.length > 0 ? lines : ['  nothing']),
  ];
}
