import { createHash } from 'node:crypto';
import { open, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpdateCause, UpdatePhase, UpdateState } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { formatOf } from '../../core/store/older-settings.ts';
import type { Store } from '../../core/store/store.ts';
import { type PackageKind, releaseFile, sumIn } from '../../releases/release-list.ts';
import { type StoredState, UpdateFiles } from '../../releases/update-state.ts';
import { fetchSigned, releasePolicy } from './release-watch.ts';

const mostBytes = 1024 * 1024 * 1024;
/** For the download, the unpacked files and the copy of the settings. */
const neededBytes = 1024 * 1024 * 1024;
const downloadMs = 30 * 60_000;
/** The path unit of systemd reacts within a second. */
const takenWithinMs = 30_000;
/** Longest step of the part that runs as root: packages of the system that a Debian package needs. */
const longestStepMs = 15 * 60_000;
const lookMs = 500;

const ends: readonly UpdatePhase[] = ['done', 'undone', 'failed'];
const ownSteps: readonly UpdatePhase[] = ['downloading', 'copying'];

interface Context {
  readonly store: Store;
  readonly config: Pick<Config, 'updates' | 'dataDir' | 'version'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly outgoing: Pick<OutgoingClient, 'send' | 'stream'>;
  /** An update is over, and nobody was told. */
  readonly onEnd: (state: UpdateState) => void;
}

class UpdateFailure extends Error {
  readonly reason: UpdateCause;

  constructor(reason: UpdateCause, message = '', options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** One update at a time: downloads a release, hands it to the part that runs as root, and follows what that part does. */
export class UpdateRun {
  readonly #context: Context;
  readonly #files: UpdateFiles;
  #isWorking = false;
  #state: StoredState | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#files = new UpdateFiles(context.config.dataDir);
    this.#state = this.#files.readState();
  }

  /** Last update, also of a process before this one. */
  get state(): StoredState | undefined {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#isWorking || (this.#state !== undefined && !ends.includes(this.#state.phase));
  }

  /** Returns when the update has begun; throws if one runs. */
  begin(version: string, base: string, kind: PackageKind, signal: AbortSignal): void {
    if (this.isRunning) throw new WeirError('upgrading', 'an update is already running');
    this.#isWorking = true;
    this.#files.prepare();
    this.#step(version, 'downloading');
    void this.#prepare(version, base, kind, signal).finally(() => {
      this.#isWorking = false;
    });
  }

  confirm(): void {
    const { state } = this;
    if (state && ends.includes(state.phase)) this.#write({ ...state, isConfirmed: true });
  }

  /** Follows the part that runs as root, and ends what a process before this one left. */
  async follow(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (!this.#isWorking && this.#state && !this.#state.isTold) this.#look();
      await this.#context.clock.pause(lookMs, signal);
    }
  }

  #look(): void {
    this.#state = this.#files.readState() ?? this.#state;
    const { state } = this;
    if (!state) return;
    const ageMs = this.#context.clock.dateMs() - Date.parse(state.at);
    if (ownSteps.includes(state.phase)) this.#fail(state.version, 'interrupted');
    else if (state.phase === 'waiting') {
      if (ageMs < takenWithinMs || !this.#files.isAsked()) return;
      this.#files.dropRequest();
      this.#fail(state.version, 'no-updater');
    } else if (!ends.includes(state.phase)) {
      if (ageMs > longestStepMs) this.#fail(state.version, 'interrupted');
    } else if (!state.isTold) {
      this.#write({ ...state, isTold: true });
      this.#context.onEnd(state);
    }
  }

  async #prepare(version: string, base: string, kind: PackageKind, signal: AbortSignal): Promise<void> {
    const { log, store } = this.#context;
    try {
      await this.#download(version, base, kind, signal);
      this.#step(version, 'copying');
      await store.backup(this.#files.settings);
      if (formatOf(this.#files.settings) === undefined)
        throw new UpdateFailure('copy', 'the copy of the settings cannot be opened');
      this.#step(version, 'waiting');
      this.#files.ask(version);
    } catch (error) {
      log.error({ err: error, version }, 'update failed');
      this.#files.removeDownload();
      const { reason, detail } = explain(error, this.state?.phase);
      this.#fail(version, signal.aborted ? 'interrupted' : reason, detail);
    }
  }

  async #download(version: string, base: string, kind: PackageKind, signal: AbortSignal): Promise<void> {
    const { config, outgoing } = this.#context;
    const folder = this.#files.download;
    const { bavail, bsize } = await statfs(config.dataDir);
    if (bavail * bsize < neededBytes) throw new UpdateFailure('no-space');
    const url = `${base}/${encodeURIComponent(version)}`;
    const sums = await fetchSigned(`${url}/SHA256SUMS`, this.#context, signal);
    if (sums === 'unreachable' || sums === 'unsigned') throw new UpdateFailure(sums);
    // The other part checks it again, and asks nobody for it.
    const signature = await outgoing.send({ url: `${url}/SHA256SUMS.minisig`, method: 'GET' }, releasePolicy, signal);
    await write(join(folder, 'SHA256SUMS'), sums);
    await write(join(folder, 'SHA256SUMS.minisig'), signature.body);
    const name = releaseFile(kind, version, process.arch);
    const wanted = sumIn(sums.toString('utf8'), name);
    if (wanted === undefined) throw new UpdateFailure('damaged', `this release has no ${name}`);
    const found = await this.#fetchFile(`${url}/${encodeURIComponent(name)}`, join(folder, name), signal);
    if (found !== wanted) throw new UpdateFailure('damaged');
  }

  /** SHA-256 of what was written. */
  async #fetchFile(url: string, path: string, signal: AbortSignal): Promise<string> {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(downloadMs)]);
    const policy = { ...releasePolicy, answerBytes: mostBytes };
    const { status, body } = await this.#context.outgoing.stream({ url, method: 'GET' }, policy, ended);
    const file = await open(`${path}.partial`, 'wx', 0o600);
    const hash = createHash('sha256');
    try {
      if (status !== 200) throw new UpdateFailure('unreachable', `the place of releases responds with ${status}`);
      for await (const chunk of body) {
        hash.update(chunk);
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await body.return();
      await file.close();
    }
    await rename(`${path}.partial`, path);
    return hash.digest('hex');
  }

  #step(version: string, phase: UpdatePhase, more: { cause?: UpdateCause; detail?: string } = {}): void {
    const { config, clock } = this.#context;
    const at = isoNow(clock);
    const { state } = this;
    const startedAt = state && !ends.includes(state.phase) ? state.startedAt : at;
    const blank = { cause: '', detail: '', isTold: false, isConfirmed: false } as const;
    this.#write({ ...blank, version, from: config.version, phase, startedAt, at, ...more });
  }

  #write(state: StoredState): void {
    this.#files.writeState(state);
    this.#state = state;
  }

  #fail(version: string, cause: UpdateCause, detail = ''): void {
    this.#step(version, 'failed', { cause, detail });
  }
}

function explain(error: unknown, phase: UpdatePhase | undefined): { reason: UpdateCause; detail: string } {
  if (error instanceof UpdateFailure) return { reason: error.reason, detail: error.message };
  if (error instanceof OutgoingError) return { reason: 'unreachable', detail: error.message };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return { reason: 'no-space', detail: '' };
  return phase === 'copying' ? { reason: 'copy', detail: '' } : { reason: 'unreachable', detail: '' };
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
