import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DownloadState,
  findSourceExtension,
  sourceExtensions,
  sourceLimits,
  videoUrlProblem,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Child } from '@weir/process';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { OutgoingProxy } from '../../core/outgoing/media/outgoing-proxy.ts';
import type { SourceFolders } from '../source-folders.ts';
import type { SourceRecord, SourceRepository } from '../source-repository.ts';
import { preparedFile } from '../uploads/uploads.ts';
import { type DownloadProgress, downloadArgs, downloadEnvironment, readDownloadLine } from './download-progress.ts';

/** Lines of a program's output, none longer than it need be. */
class OutputLines {
  readonly #onLine: (line: string) => void;
  #open = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#open + chunk.toString('utf8')).split(/[\r\n]+/);
    this.#open = (lines.pop() ?? '').slice(0, 4096);
    for (const line of lines) this.#onLine(line);
  }
}

interface Context {
  readonly repository: SourceRepository;
  readonly folders: SourceFolders;
  readonly proxy: OutgoingProxy;
  /** Instead of the checked way out: of the administrator, from the environment. */
  readonly givenProxy: string;
  readonly largestBytes: number;
  readonly log: Log;
  readonly clock: Clock;
  /** Tests of a machine without it name something else. */
  readonly command?: string;
}

interface Job {
  readonly uuid: string;
  readonly url: URL;
  readonly started: Date;
  readonly done: Promise<void>;
  name: string;
  progress: DownloadProgress | undefined;
  state: DownloadState['state'];
  error: string;
  file: DownloadState['file'];
  child: Child | undefined;
}

/** Limit of ended downloads in the list. */
const mostEnded = 20;

/** Videos of web pages, downloaded by yt-dlp in the background. Kept in memory: an interrupted download starts again. */
export class Downloads {
  readonly #context: Context;
  readonly #jobs = new Map<string, Job>();

  constructor(context: Context) {
    this.#context = context;
  }

  list(): DownloadState[] {
    return [...this.#jobs.values()].map(stateOf);
  }

  isActive(uuid: string): boolean {
    return this.#jobs.get(uuid)?.state === 'running';
  }

  /** Begins, or joins the download of the same address that runs. */
  async begin(typed: string): Promise<DownloadState> {
    return stateOf(await this.#begin(typed));
  }

  /** Starts a download and waits for a limited time. A repeated call joins the running one. */
  async bring(typed: string, withinMs: number): Promise<SourceRecord> {
    const job = await this.#begin(typed);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([job.done, new Promise((resolve) => (timer = setTimeout(resolve, withinMs)))]);
    clearTimeout(timer);
    if (job.state === 'running') {
      throw new WeirError(
        'unavailable',
        'the download continues in the background, send the same URL again for the result',
        {
          retryAfterSeconds: 10,
        },
      );
    }
    const record = job.state === 'done' ? await this.#context.repository.get(job.uuid) : undefined;
    if (!record) throw new WeirError('invalid_input', job.error || 'the download was cancelled');
    this.#jobs.delete(job.uuid);
    return record;
  }

  /** Stops a running download, or removes an ended one from the list. */
  async cancel(uuid: string): Promise<void> {
    const job = this.#jobs.get(uuid);
    if (!job) throw new WeirError('not_found', 'there is no such download');
    if (job.state === 'running') job.state = 'cancelled';
    void job.child?.stop();
    await job.done;
    this.#jobs.delete(uuid);
  }

  async close(): Promise<void> {
    const running = [...this.#jobs.values()].filter(({ state }) => state === 'running');
    for (const job of running) {
      job.state = 'cancelled';
      job.child?.kill();
    }
    await Promise.all(running.map(({ done }) => done));
  }

  async #begin(typed: string): Promise<Job> {
    const problem = videoUrlProblem(typed);
    if (problem === 'missing') throw new WeirError('missing_field', 'url is required');
    if (problem) throw new WeirError('invalid_input', 'invalid url, must start with http:// or https://');
    const url = new URL(typed.trim());
    const running = [...this.#jobs.values()].filter(({ state }) => state === 'running');
    const same = running.find((job) => job.url.href === url.href);
    if (same) return same;
    if (running.length >= sourceLimits.downloadsAtOnce) {
      throw new WeirError(
        'unavailable',
        `${sourceLimits.downloadsAtOnce} downloads are running, wait for one or cancel it`,
      );
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const job: Job = {
      uuid: randomUUID(),
      url,
      started: new Date(this.#context.clock.dateMs()),
      done: promise,
      name: '',
      progress: undefined,
      state: 'running',
      error: '',
      file: null,
      child: undefined,
    };
    this.#jobs.set(job.uuid, job);
    this.#forgetOld();
    void this.#run(job).finally(resolve);
    return job;
  }

  async #run(job: Job): Promise<void> {
    const { folders, repository, log } = this.#context;
    const record = newRecord(job);
    try {
      await folders.make();
      await folders.assertRoom(0);
      await repository.add(record);
      await mkdir(folders.workshop(job.uuid));
      const complaint = await this.#download(job);
      const prepared = await this.#collect(job, record, complaint);
      job.file = preparedFile(prepared, folders);
      job.state = 'done';
      log.info({ uuid: job.uuid, bytes: prepared.size }, 'video downloaded');
    } catch (error) {
      if (job.state === 'running') job.state = 'failed';
      job.error = error instanceof WeirError ? error.message : 'the download failed, see the server log';
      const level = error instanceof WeirError ? 'info' : 'error';
      log[level](
        { uuid: job.uuid, reason: job.error, ...(level === 'error' && { err: error }) },
        'video not downloaded',
      );
      await folders.remove(record).catch(() => undefined);
      await repository.delete(job.uuid).catch(() => undefined);
    }
  }

  /** Resolves with what the downloader complained about last. */
  async #download(job: Job): Promise<string> {
    const { folders, proxy, givenProxy, largestBytes, command = 'yt-dlp' } = this.#context;
    const { url } = job;
    const order = { url: url.href, directory: folders.workshop(job.uuid), largestBytes };
    const user = { host: url.host, ownNetwork: 'typed', isReader: false } as const;
    const way = givenProxy || (await proxy.addressFor(user));
    // Loaded with the first download.
    const { Child } = await import('@weir/process');
    if (job.state !== 'running') throw new WeirError('invalid_input', 'the download was cancelled');
    const limit = new DownloadLimit(this.#context);
    const lines = new OutputLines((line) => {
      const read = readDownloadLine(line);
      if (read && 'title' in read) job.name = read.title;
      else if (read) {
        job.progress = read;
        limit.watch(read.bytes ?? 0, () => job.child?.kill());
      }
    });
    job.child = new Child({
      command,
      args: downloadArgs({ ...order, proxy: way }),
      softStop: 'signal',
      niceness: 5,
      // An administrator's own proxy answers for itself.
      environment: givenProxy === '' ? downloadEnvironment(way) : {},
      secrets: [way, url.search.slice(1), url.password, url.username],
      onOutput: (chunk) => lines.push(chunk),
    });
    const end = await job.child.ended;
    const refusal = proxy.takeRefusal(url.host);
    if (end.isMissing) throw new WeirError('unavailable', 'yt-dlp is not installed, on Debian: apt-get install yt-dlp');
    if (job.state !== 'running') throw new WeirError('invalid_input', 'the download was cancelled');
    if (limit.failure) throw limit.failure;
    if (end.code !== 0) throw new WeirError('invalid_input', refusal ?? complaintOf(end.reason));
    return complaintOf(end.reason);
  }

  /** The film among what the downloader left, moved to its place. */
  async #collect(job: Job, record: SourceRecord, complaint: string): Promise<SourceRecord> {
    const { folders, repository, largestBytes } = this.#context;
    const workshop = folders.workshop(job.uuid);
    const names = (await readdir(workshop)).filter((name) => name.startsWith('video.'));
    const name = names.find((file) => findSourceExtension(file) !== undefined);
    const extension = name === undefined ? undefined : findSourceExtension(name);
    if (name === undefined || extension === undefined) {
      const other = names[0]?.replace(/^video/, '').replace(/[^.\w]/g, '');
      if (other) {
        throw new WeirError(
          'invalid_input',
          `the video is a ${other} file, which is not supported (only ${sourceExtensions.join(' ')})`,
        );
      }
      throw new WeirError('invalid_input', `nothing was downloaded: ${complaint}`);
    }
    const { size } = await stat(join(workshop, name));
    if (size > largestBytes)
      throw new WeirError('too_large', 'the video is larger than the upload limit (WEIR_UPLOAD_LIMIT)');
    const prepared = {
      ...record,
      state: 'prepared' as const,
      extension,
      size,
      name: job.name || `${job.url.hostname}${extension}`,
    };
    await rename(join(workshop, name), folders.file(prepared));
    await rm(workshop, { recursive: true });
    return repository.change(job.uuid, prepared);
  }

  #forgetOld(): void {
    const ended = [...this.#jobs.values()].filter(({ state }) => state !== 'running');
    for (const { uuid } of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#jobs.delete(uuid);
  }
}

function newRecord({ uuid, url, started }: Job): SourceRecord {
  const facts = {
    name: url.hostname,
    path: url.href,
    size: 0,
    extension: '',
    created: started.toISOString(),
    probe: null,
  };
  return { uuid, type: 'ytdl', state: 'receiving', ...facts };
}

function stateOf({ uuid, url, name, state, progress, started, error, file }: Job): DownloadState {
  const { bytes = null, totalBytes = null, bytesPerSecond = null } = progress ?? {};
  const percent =
    bytes !== null && totalBytes !== null && totalBytes > 0
      ? Math.min(100, Math.round((100 * bytes) / totalBytes))
      : null;
  return {
    uuid,
    host: url.host,
    name,
    state,
    percent,
    bytes,
    totalBytes,
    bytesPerSecond,
    started: started.toISOString(),
    error,
    file,
  };
}

function complaintOf(reason: string): string {
  return reason.replace(/^ERROR:\s*/, '').replace(/; please report this issue.*$/s, '');
}

interface DownloadLimitContext {
  readonly folders: SourceFolders;
  readonly largestBytes: number;
}

/** Bytes between two checks of free disk space. */
const roomCheckBytes = 64 * 1024 * 1024;

/** Stops what grows beyond the limit or the disk; the downloader itself knows sizes only where the page tells them. */
class DownloadLimit {
  readonly #context: DownloadLimitContext;
  failure: WeirError | undefined;
  #checkedAt = 0;

  constructor(context: DownloadLimitContext) {
    this.#context = context;
  }

  watch(bytes: number, stop: () => void): void {
    const fail = (error: unknown) => {
      this.failure ??=
        error instanceof WeirError ? error : new WeirError('unavailable', 'the free disk space could not be read');
      stop();
    };
    if (bytes > this.#context.largestBytes) {
      fail(new WeirError('too_large', 'the video is larger than the upload limit (WEIR_UPLOAD_LIMIT)'));
    }
    if (bytes - this.#checkedAt < roomCheckBytes) return;
    this.#checkedAt = bytes;
    this.#context.folders.assertRoom(0).catch(fail);
  }
}
