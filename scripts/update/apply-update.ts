import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { UpdateCause, UpdatePhase } from '@weir/contract';
import { formatOf, putOlderSettings } from '../../apps/server/src/core/store/older-settings.ts';
import { releaseFile, sumIn } from '../../apps/server/src/releases/release-list.ts';
import { isSigned } from '../../apps/server/src/releases/release-signature.ts';
import { isOlder } from '../../apps/server/src/releases/release-version.ts';
import type { UpdateFiles } from '../../apps/server/src/releases/update-state.ts';
import type { DataUser } from './data-user.ts';
import { type Installation, InstallError } from './installation.ts';
import { ProgramError } from './run-program.ts';
import type { Service } from './service.ts';

const defaultHealthyMs = 60_000;
const mostSumsBytes = 64 * 1024;
const mostFileBytes = 1024 * 1024 * 1024;

interface Context {
  readonly dataDir: string;
  /** Version that runs, and the key that its maintainers sign with. */
  readonly installed: { readonly version: string; readonly key: string };
  readonly files: UpdateFiles;
  readonly user: DataUser;
  readonly service: Pick<Service, 'reload' | 'stop' | 'start' | 'problemOf'>;
  readonly installation: Installation;
  readonly healthyMs?: number;
}

class Refused extends Error {
  readonly reason: UpdateCause;

  constructor(reason: UpdateCause, message = '') {
    super(message);
    this.reason = reason;
  }
}

/** Carries out what the server asks for, if the maintainers signed it and it is newer. Takes it back if it is not healthy. */
export async function applyUpdate(context: Context): Promise<UpdatePhase | undefined> {
  const { files, user, installed, installation, service, healthyMs = defaultHealthyMs } = context;
  const request = user.run(() => files.takeRequest());
  if (!request) return undefined;
  const { version } = request;
  const startedAt = user.run(() => files.readState())?.startedAt ?? new Date().toISOString();
  const tell = (phase: UpdatePhase, cause: UpdateCause = '', detail = '') => {
    const at = new Date().toISOString();
    const marks = { isTold: false, isConfirmed: false };
    user.run(() =>
      files.writeState({ version, from: installed.version, phase, cause, detail, startedAt, at, ...marks }),
    );
    console.log(`update to ${version}: ${phase}${cause && ` (${cause})`}${detail && `: ${detail}`}`);
    return phase;
  };

  tell('installing');
  try {
    if (!isOlder(installed.version, version))
      throw new Refused('refused', 'it is not newer than the installed version');
    installation.prepare(version, takeIn(context, version));
  } catch (error) {
    rmSync(installation.incoming, { recursive: true, force: true });
    return tell('failed', error instanceof Refused ? error.reason : 'install', wordsOf(error));
  }

  tell('restarting');
  let problem: string;
  let cause: UpdateCause = 'unhealthy';
  try {
    installation.switchTo(version);
    service.reload();
    tell('checking');
    problem = await service.problemOf(version, healthyMs);
  } catch (error) {
    problem = wordsOf(error);
    cause = 'install';
  }
  if (problem === '') {
    installation.tidy(version);
    rmSync(installation.incoming, { recursive: true, force: true });
    user.run(() => files.removeDownload());
    return tell('done');
  }
  tell('going-back', cause, problem);
  return goBack(context, { cause, problem, tell });
}

interface Failure {
  readonly cause: UpdateCause;
  readonly problem: string;
  readonly tell: (phase: UpdatePhase, cause: UpdateCause, detail: string) => UpdatePhase;
}

async function goBack(context: Context, { cause, problem, tell }: Failure): Promise<UpdatePhase> {
  const { dataDir, files, user, installed, installation, service, healthyMs = defaultHealthyMs } = context;
  try {
    // The previous version is named again even if the system's manager of services does not answer.
    try {
      service.stop();
    } catch (error) {
      console.error(wordsOf(error));
    }
    // Written by the version that runs again: its format.
    const format = user.run(() => formatOf(files.settings));
    const used = format === undefined ? undefined : user.run(() => putOlderSettings(dataDir, format));
    if (used) console.log(`the settings of ${used.at.toISOString()} (${used.name}) are in place again`);
    installation.goBack();
    service.start();
    const left = await service.problemOf(installed.version, healthyMs);
    return left === '' ? tell('undone', cause, problem) : tell('failed', 'stuck', left);
  } catch (error) {
    return tell('failed', 'stuck', wordsOf(error));
  } finally {
    rmSync(installation.incoming, { recursive: true, force: true });
    user.run(() => files.removeDownload());
  }
}

/** Copies what was downloaded to where only root can write, and checks the copy. Returns its path. */
function takeIn({ files, user, installed, installation }: Context, version: string): string {
  const folder = installation.incoming;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const take = (name: string, mostBytes: number) => {
    const from = user.run(() =>
      openSync(join(files.download, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
    );
    try {
      return copy(from, join(folder, name), mostBytes);
    } finally {
      closeSync(from);
    }
  };
  take('SHA256SUMS', mostSumsBytes);
  take('SHA256SUMS.minisig', mostSumsBytes);
  const sums = readFileSync(join(folder, 'SHA256SUMS'));
  const signature = readFileSync(join(folder, 'SHA256SUMS.minisig'), 'utf8');
  if (!isSigned(sums, signature, installed.key)) throw new Refused('unsigned');
  const name = releaseFile(installation.kind, version, process.arch);
  const wanted = sumIn(sums.toString('utf8'), name);
  if (wanted === undefined || take(name, mostFileBytes) !== wanted) throw new Refused('damaged');
  return join(folder, name);
}

/** Returns the SHA-256 of what was copied. */
function copy(from: number, path: string, mostBytes: number): string {
  if (!fstatSync(from).isFile()) throw new Refused('refused', 'the download is no file');
  const hash = createHash('sha256');
  const block = Buffer.alloc(1024 * 1024);
  const to = openSync(path, 'wx', 0o644);
  try {
    let total = 0;
    for (let bytes = readSync(from, block); bytes > 0; bytes = readSync(from, block)) {
      total += bytes;
      if (total > mostBytes) throw new Refused('refused', 'the download is too large');
      hash.update(block.subarray(0, bytes));
      writeSync(to, block, 0, bytes);
    }
  } finally {
    closeSync(to);
  }
  return hash.digest('hex');
}

function wordsOf(error: unknown): string {
  if (error instanceof Refused || error instanceof InstallError || error instanceof ProgramError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}
