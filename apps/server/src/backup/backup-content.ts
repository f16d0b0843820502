import { steps } from '../core/store/sqlite-store.ts';

/** Counts changes of the archive: names and forms of its files. */
export const backupFormat = 1;
/** Of the rows in it. */
export const settingsFormat = steps.length;

/** Names of the files in an archive. */
export const names = {
  manifest: 'backup.json',
  settings: 'settings.jsonl',
  certificate: 'certificate/nginx.crt',
  key: 'certificate/nginx.key',
  timelines: 'timeline.db',
  transcripts: 'words.db',
  seal: 'seal.json',
} as const;

/** Folders of the data directory whose plain files are included: slates, and conversations of rooms. */
export const folders = ['slates', 'talk'] as const;

const fileName = /^(?:slates|talk)\/[A-Za-z0-9][A-Za-z0-9_-]{0,79}(?:\.[A-Za-z0-9]{1,8}){0,2}$/;

/** True for every name that an archive may have. None leads out of its folder. */
export function isArchiveName(name: string): boolean {
  return (Object.values(names) as readonly string[]).includes(name) || fileName.test(name);
}

/** State of one machine. It is in no backup, and a restore leaves it. */
const machineCollections: ReadonlySet<string> = new Set([
  'session-salt',
  'ended-session',
  'known-network',
  'uploads',
  'backup-state',
  'backup-files',
  'first-steps',
  'hook-deliveries',
  'notifications-state',
  'system',
]);
/** In no backup, and removed by a restore: the backup has a password. */
const setUpCollection = 'setup-code';
const recordingCollections: ReadonlySet<string> = new Set(['recordings', 'record-uploads']);

/** True if rows of this collection are part of a backup. */
export function isBackedUp(collection: string, { recordings }: { readonly recordings: boolean }): boolean {
  if (machineCollections.has(collection) || collection === setUpCollection) return false;
  return recordings || !recordingCollections.has(collection);
}

/** True if a restore leaves rows of this collection as they are. */
export function isKept(collection: string, choice: { readonly recordings: boolean }): boolean {
  return collection !== setUpCollection && !isBackedUp(collection, choice);
}
