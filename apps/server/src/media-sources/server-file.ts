import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, rename, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { findSourceExtension, offeredExtensions, type ServerFileProblem, serverFileProblem } from '@weir/contract';
import { type Clock, isoNow } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import type { PathResolver } from '../core/path-resolver.ts';
import { sourceError } from './source-error.ts';
import { diskError, type SourceFolders } from './source-folders.ts';
import type { SourceRecord, SourceRepository } from './source-repository.ts';

interface Context {
  readonly paths: PathResolver;
  readonly repository: SourceRepository;
  readonly folders: SourceFolders;
  readonly clock: Clock;
}

const problems: Record<ServerFileProblem, string> = {
  missing: 'file is required',
  place: 'invalid file, should in /data',
  extension: `invalid file extension, should be ${offeredExtensions.join(' ')}`,
};

/**
 * Takes a file of this machine as a source: by a second name for the same bytes, which takes no room and no time, and stays when the first is
 * removed. Only where that cannot be, as between two disks, it is copied.
 */
export async function takeServerFile(typed: string, context: Context): Promise<SourceRecord> {
  const { paths, repository, folders, clock } = context;
  const file = typed.trim();
  const problem = serverFileProblem(file);
  if (problem === 'missing') throw new WeirError('missing_field', problems.missing);
  if (problem) throw sourceError(problem, problems[problem]);
  const path = await paths.existing(file).catch((error: unknown) => {
    if (!(error instanceof WeirError)) throw error;
    const why = { kind: error.kind === 'not_found' ? 'file-missing' : 'place', fact: '' };
    throw new WeirError(error.kind, error.message, { cause: error, why });
  });
  // Checks the real file's extension too: a link may have any name.
  const extension = findSourceExtension(path);
  if (extension === undefined) throw sourceError('extension', problems.extension);
  const facts = await stat(path);
  if (!facts.isFile()) throw sourceError('file-kind', 'file: must be a regular file');
  const record: SourceRecord = {
    uuid: randomUUID(),
    type: 'file',
    state: 'receiving',
    name: basename(file),
    path: file,
    size: facts.size,
    extension,
    created: isoNow(clock),
    probe: null,
  };
  const prepared = { ...record, state: 'prepared' as const };
  await folders.make();
  await repository.add(record);
  try {
    await link(path, folders.file(prepared)).catch((error: unknown) => {
      if (!isOtherDisk(error)) throw error;
      return copy(path, prepared, folders);
    });
    return await repository.change(record.uuid, prepared);
  } catch (error) {
    await folders.remove(record);
    await repository.delete(record.uuid);
    throw diskError(error);
  }
}

async function copy(path: string, prepared: SourceRecord, folders: SourceFolders): Promise<void> {
  await folders.assertRoom(prepared.size);
  const part = folders.part(prepared.uuid);
  await copyFile(path, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await rename(part, folders.file(prepared));
}

/** True for another file system, one without hard links, or a protected file. */
function isOtherDisk(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EXDEV' || code === 'EPERM' || code === 'EMLINK' || code === 'ENOTSUP' || code === 'EOPNOTSUPP';
}
