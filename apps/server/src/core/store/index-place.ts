import { existsSync, renameSync, rmSync } from 'node:fs';
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@weir/plane';

interface Directories {
  readonly dataDir: string;
  /** Directory of the files; if shared, servers take the index over from each other. */
  readonly filesDir: string;
}

/** For how long a server of several leads. */
interface Term {
  /** Higher than those of all leaders before, unless the database forgot them. */
  readonly term: number;
  isLeading(): Promise<boolean>;
}

export interface IndexPlace {
  readonly file: string;
  /** Storage whose file locks are unreliable. Only the leader opens the file there. */
  readonly isShared: boolean;
  /** Name of the closed file, which is not written any more. */
  readonly leftAs?: string;
}

interface Found {
  readonly name: string;
  readonly term: number;
  readonly isLeft: boolean;
}

const mostTries = 3;

/**
 * Location of an index, beside the files it describes. Each leader has its own file, made from its predecessor's: a
 * former leader that wakes up may still write to its own for a moment without harm.
 */
export async function indexPlace(
  { dataDir, filesDir }: Directories,
  name: string,
  { log, pair }: { log: Log; pair?: Term | undefined },
): Promise<IndexPlace> {
  if (filesDir === dataDir) return { file: join(dataDir, name), isShared: false };
  const { files, rest } = await filesOf(filesDir, name);
  const [newest] = files;
  // Removed after the listing: a new leader's file is not in the list and stays.
  if (pair && !(await pair.isLeading())) throw new Error('another server leads');
  const term = pair && Math.max(pair.term, (newest?.term ?? 0) + 1);
  const target = nameOf(name, term);
  const file = join(filesDir, target);
  try {
    if (newest && newest.name !== target) await adopt(filesDir, newest, target);
    else if (!newest) bringAlong(join(dataDir, name), file);
    const old = [...files.map((each) => each.name), ...rest].filter((each) => !each.startsWith(target));
    for (const each of old) await rm(join(filesDir, each), { force: true });
  } catch (error) {
    log.error({ err: error, file: name }, 'an index could not be taken over, starting an empty one');
  }
  return { file, isShared: true, ...(pair && { leftAs: join(filesDir, nameOf(name, term, '.left')) }) };
}

/** `timeline.db`, `timeline.7.db` while the seventh leads, `timeline.7.left.db` when it left in good order. */
function nameOf(name: string, term: number | undefined, end = ''): string {
  const { name: stem, ext } = parse(name);
  return term === undefined ? name : `${stem}.${term}${end}${ext}`;
}

/** Index files of all terms, newest first, and leftovers of them. */
async function filesOf(directory: string, name: string): Promise<{ files: Found[]; rest: string[] }> {
  const { name: stem, ext } = parse(name);
  const form = new RegExp(`^${stem}(?:\\.(\\d{1,15}))?(\\.left)?\\${ext}(-journal|\\.copy(?:-journal)?)?$`);
  const files: Found[] = [];
  const rest: string[] = [];
  // A missing directory is created with the first file.
  for (const each of existsSync(directory) ? await readdir(directory) : []) {
    const [found, term = '0', isLeft, more] = form.exec(each) ?? [];
    if (found !== undefined && more === undefined)
      files.push({ name: each, term: Number(term), isLeft: isLeft !== undefined });
    else if (found !== undefined) rest.push(each);
  }
  return { files: files.sort((a, b) => b.term - a.term || Number(b.isLeft) - Number(a.isLeft)), rest };
}

/** A cleanly closed file is renamed. Any other may still be open elsewhere and is copied. */
async function adopt(directory: string, { name, isLeft }: Found, target: string): Promise<void> {
  const [from, to] = [join(directory, name), join(directory, target)];
  if (isLeft) return rename(from, to);
  const copy = `${to}.copy`;
  const changedMs = async () => (await stat(from)).mtimeMs;
  let before: number;
  let tries = 0;
  do {
    before = await changedMs();
    await copyFile(from, copy);
    await rm(`${to}-journal`, { force: true });
    // The journal holds the unfinished transaction, which is rolled back when the copy is opened.
    if (existsSync(`${from}-journal`)) await copyFile(`${from}-journal`, `${to}-journal`);
    tries += 1;
    // A file that was written meanwhile may be torn.
  } while (before !== (await changedMs()) && tries < mostTries);
  await rename(copy, to);
}

/**
 * Copies an index from before files were shared. It has another name until it is complete, because half of it would be
 * taken for a damaged one.
 */
function bringAlong(own: string, file: string): void {
  if (!existsSync(own)) return;
  const copy = `${file}.copy`;
  rmSync(copy, { force: true });
  const db = new DatabaseSync(own);
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  renameSync(copy, file);
}
