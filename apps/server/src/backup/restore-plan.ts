import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupPart, backupParts, type RestoreChange, type RestorePlan } from '@weir/contract';
import { countRows, readStoredRows } from '../core/store/database-file.ts';
import { placeOf } from '../core/store/store.ts';
import { isBackedUp, isKept, names } from './backup-content.ts';
import type { Manifest } from './make-backup.ts';
import { databases, readRows } from './stage-backup.ts';

/** Collections by part of the settings; one whose name begins so belongs to it too. */
const partsOf: readonly (readonly [BackupPart, readonly string[]])[] = [
  ['account', ['password', 'api-secret', 'setup-code', 'own-names']],
  ['publishing', ['publish-', 'stream-key']],
  ['viewing', ['access', 'watch']],
  ['forward', ['forward']],
  ['vlive', ['vlive']],
  ['camera', ['camera']],
  ['programs', ['programs']],
  ['transcode', ['transcode', 'ladders']],
  ['recordings', ['recordings', 'record-uploads']],
  ['record', ['record']],
  ['cloud', ['cloud', 'tencent']],
  ['transcript', ['transcript']],
  ['ocr', ['ocr']],
  ['dubbing', ['dubbing']],
  ['rooms', ['rooms', 'talk']],
  ['ai', ['llm', 'ai-']],
  ['callbacks', ['hooks', 'hook-']],
  ['notifications', ['notifications']],
  ['https', ['certs', 'acme']],
  ['site', ['branding', 'contact', 'tutorials', 'platform', 'monthly-hours', 'system', 'updates']],
  ['delivery', ['hls', 'limits', 'edges']],
  ['sources', ['source']],
  ['backup', ['backup']],
];

function partOf(collection: string): BackupPart {
  return partsOf.find(([, begins]) => begins.some((begin) => collection.startsWith(begin)))?.[0] ?? 'other';
}

/** Not the settings themselves: they may be large and secret. */
type Fingerprints = Map<string, string>;

interface Present {
  /** Copy of the settings, made for this. */
  readonly settings: string;
  readonly dataDir: string;
  readonly broadcasts: number;
  readonly transcripts: number;
}

/** Compares a staged backup with what is there. */
export async function planRestore(
  staged: { readonly directory: string; readonly manifest: Manifest; readonly bytes: number; readonly id: string },
  present: Present,
): Promise<RestorePlan> {
  const { directory, manifest } = staged;
  const before = readFingerprints(present.settings, manifest);
  const after: Fingerprints = new Map();
  for await (const row of readRows(join(directory, names.settings)))
    if (isBackedUp(row.collection, manifest)) after.set(placeOf(row), fingerprint(row.value));
  const changes = countChanges(before, after);
  const hasChanged = (place: string) => before.get(place) !== after.get(place);
  const count = (name: keyof typeof databases, present: number) => {
    const restored = tryCount(join(directory, name), databases[name]);
    return restored === undefined ? null : { before: present, after: restored };
  };
  return {
    id: staged.id,
    createdAt: manifest.createdAt,
    version: manifest.version,
    bytes: staged.bytes,
    changes,
    password: hasChanged('password\nadmin'),
    apiSecret: hasChanged('api-secret\nadmin'),
    certificate: await compareCertificate(directory, present.dataDir),
    broadcasts: count(names.timelines, present.broadcasts),
    transcripts: count(names.transcripts, present.transcripts),
    recordings: manifest.recordings,
  };
}

function fingerprint(value: string): string {
  return hash('sha256', value, 'base64');
}

function readFingerprints(copy: string, manifest: Manifest): Fingerprints {
  const found: Fingerprints = new Map();
  for (const row of readStoredRows(copy))
    if (!isKept(row.collection, manifest)) found.set(placeOf(row), fingerprint(row.value));
  return found;
}

function countChanges(before: Fingerprints, after: Fingerprints): RestoreChange[] {
  const counts = new Map<BackupPart, { added: number; changed: number; removed: number }>();
  const note = (place: string, what: 'added' | 'changed' | 'removed') => {
    const part = partOf(place.split('\n')[0] ?? '');
    const count = counts.get(part) ?? { added: 0, changed: 0, removed: 0 };
    count[what]++;
    counts.set(part, count);
  };
  for (const [place, value] of after) {
    const present = before.get(place);
    if (present === undefined) note(place, 'added');
    else if (present !== value) note(place, 'changed');
  }
  for (const place of before.keys()) if (!after.has(place)) note(place, 'removed');
  return backupParts.flatMap((part) => {
    const count = counts.get(part);
    return count ? [{ part, ...count }] : [];
  });
}

function tryCount(file: string, table: (typeof databases)[keyof typeof databases]): number | undefined {
  try {
    return countRows(file, table);
  } catch {
    return undefined;
  }
}

async function compareCertificate(directory: string, dataDir: string): Promise<RestorePlan['certificate']> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);
  const [then, now] = await Promise.all([
    read(join(directory, names.certificate)),
    read(join(dataDir, 'config/nginx.crt')),
  ]);
  if (then === undefined) return 'kept';
  return then === now ? 'same' : 'replaced';
}
