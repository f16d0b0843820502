import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cloudLimits, type UploadBacklog } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { linkFile } from '../core/link-file.ts';
import { Mutex } from '../core/mutex.ts';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../core/store/store.ts';
import { UploadAttempts } from './upload-attempts.ts';
import { retryMs, UploadJob } from './upload-job.ts';
import { UploadJournal } from './upload-journal.ts';
import { UploadLanes } from './upload-lanes.ts';
import type { UploadOwner, UploadRequest } from './upload-owner.ts';

interface Context {
  readonly directory: string;
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
  readonly limits?: { readonly spoolBytes: number; readonly spoolFiles: number };
}

/** Lanes that are worked on at the same time. */
const width = 2;

/**
 * Files on their way into buckets. What `add` confirmed is in the journal and on the disk, and is tried until it arrives: across
 * restarts and for as long as the bucket is away. Only keys are held in memory.
 */
export class UploadQueue {
  readonly #spool: UploadSpool;
  readonly #journal: UploadJournal;
  readonly #log: Log;
  readonly #limits: { readonly spoolBytes: number; readonly spoolFiles: number };
  readonly #lost = new Map<string, number>();
  readonly #lanes: UploadLanes;
  readonly #clock: Pick<Clock, 'dateMs'>;
  readonly #tries: UploadAttempts;
  #wake = Promise.withResolvers<void>();
  #loaded: Promise<void> | undefined;
  readonly #adding = new Mutex();
  readonly #aborting = new Set<Promise<void>>();

  constructor({ directory, store, outgoing, log, clock, limits = cloudLimits }: Context) {
    this.#spool = new UploadSpool(directory);
    this.#journal = new UploadJournal(store, clock);
    this.#lanes = new UploadLanes(clock);
    this.#clock = clock;
    this.#tries = new UploadAttempts({ journal: this.#journal, outgoing, log, clock });
    this.#log = log;
    this.#limits = limits;
  }

  /** Called before `run`. */
  registerOwner(name: string, owner: UploadOwner): void {
    this.#tries.registerOwner(name, owner);
  }

  /** Returns the size; undefined if the queue is full and the file is counted as lost. */
  async add(request: UploadRequest): Promise<number | undefined> {
    await this.#load();
    // Serialised: of two equal requests the second finds the first.
    return this.#adding.take(() => this.#add(request));
  }

  async #add({ owner, id, lane, key, type, source }: UploadRequest): Promise<number | undefined> {
    const known = this.#lanes.bytesOf(owner, id);
    if (known !== undefined) return known;
    if ('inPlace' in source) {
      const { size } = await stat(source.inPlace);
      await this.#enter({ owner, id, lane, key, type, file: source.inPlace, isSpooled: false, bytes: size });
      return size;
    }
    // A playlist is the end of something that was taken: it always has room.
    if ('link' in source && !(await this.#hasRoom(source.link))) {
      const lost = (this.#lost.get(owner) ?? 0) + 1;
      this.#lost.set(owner, lost);
      if (lost % 100 === 1) this.#log.error({ owner, lost }, 'a file was dropped: the upload queue is full');
      return undefined;
    }
    const name = `${owner}-${id}`;
    const taken =
      'text' in source ? await this.#spool.write(name, source.text) : await this.#spool.take(name, source.link);
    await this.#enter({ owner, id, lane, key, type, isSpooled: true, ...taken });
    return taken.bytes;
  }

  /** Files of a lane that are still here. */
  async waitingIn(owner: string, lane: string): Promise<number> {
    await this.#load();
    return this.#lanes.lengthOf(owner, lane);
  }

  /** Finds a waiting file. */
  async find(owner: string, id: string): Promise<UploadJob | undefined> {
    await this.#load();
    const key = this.#lanes.keyOf(owner, id);
    return key === undefined ? undefined : this.#journal.get(key);
  }

  /** Ids of all waiting files. */
  async idsOf(owner: string): Promise<string[]> {
    await this.#load();
    return this.#lanes.idsOf(owner);
  }

  isUploading(owner: string, id: string): boolean {
    return this.#lanes.isActive(owner, id);
  }

  /** Grows whenever a file comes, goes or is tried. */
  changes = 0;

  async backlog(owner: string): Promise<UploadBacklog> {
    await this.#load();
    const { files, bytes, first } = this.#lanes.totalsOf(owner);
    const heads = await Promise.all(this.#lanes.headsOf(owner).map((key) => this.#journal.get(key)));
    const failing = heads.filter((job) => job !== undefined && job.failure !== '').sort(byNextTry)[0];
    const oldest = first === undefined ? undefined : await this.#journal.get(first);
    return {
      files,
      bytes,
      since: dateOf(oldest?.atMs),
      failure: failing?.failure ?? '',
      error: failing?.error ?? '',
      nextTry: dateOf(failing?.nextTryAtMs),
      lost: this.#lost.get(owner) ?? 0,
    };
  }

  /** Takes a file that waits out again; what the bucket has of it is thrown away as far as it can be reached. */
  async cancel(owner: string, id: string): Promise<void> {
    await this.#load();
    const key = this.#lanes.keyOf(owner, id);
    const job = key === undefined ? undefined : await this.#journal.get(key);
    if (key === undefined || !job) return;
    await this.#leave(key, job);
    if (job.uploadId === '') return;
    // Deleting must not block on an unreachable storage.
    const aborted = this.#tries.abortParts(job).finally(() => this.#aborting.delete(aborted));
    this.#aborting.add(aborted);
  }

  /** Tries now what waits for its next try: something has changed for the better. */
  retry(owner: string): void {
    this.#lanes.hurry(owner);
    this.#wake.resolve();
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => {
      this.#tries.stop();
      this.#wake.resolve();
    };
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    for (let tries = 1; !signal.aborted && !(await this.#isLoaded()); tries++) await this.#pause(retryMs(tries));
    const running = new Set<Promise<void>>();
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      for (const key of this.#lanes.due(this.#clock.dateMs(), width - running.size)) {
        const work = this.#work(key).finally(() => {
          running.delete(work);
          this.#wake.resolve();
        });
        running.add(work);
      }
      await this.#pause(this.#lanes.nextDueMs(this.#clock.dateMs()));
    }
    await Promise.all([...running, ...this.#aborting]);
  }

  /** Until something happens, and so long at most. */
  async #pause(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#wake.resolve(), ms);
    await this.#wake.promise;
    clearTimeout(timer);
  }

  /** The store may be unreadable only for a moment at start, and this runs once. */
  async #isLoaded(): Promise<boolean> {
    this.#wake = Promise.withResolvers<void>();
    try {
      await this.#load();
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, 'upload queue could not be read');
      return false;
    }
  }

  async #work(key: string): Promise<void> {
    try {
      const job = await this.#journal.get(key);
      if (!job) return this.#lanes.remove(key);
      const { outcome, nextTryAtMs } = await this.#tries.try(key, job);
      if (outcome === 'over') await this.#leave(key, job);
      else if (outcome === 'cancelled') this.#lanes.remove(key);
      else if (outcome === 'later') this.#lanes.putOff(key, nextTryAtMs);
    } catch (error) {
      // The store is away, or an owner is broken: the entry stays, and is looked at again.
      this.#log.warn({ err: error }, 'an upload was postponed');
      this.#lanes.putOff(key, this.#clock.dateMs() + retryMs(5));
    }
  }

  async #enter(facts: Omit<UploadJob, 'atMs' | keyof Untried>): Promise<void> {
    const job = UploadJob.parse({ ...facts, atMs: this.#clock.dateMs() });
    const key = await this.#journal.add(job);
    this.#lanes.add(key, job);
    this.changes += 1;
    this.#wake.resolve();
  }

  async #leave(key: string, job: UploadJob): Promise<void> {
    await this.#journal.delete(key);
    this.#lanes.remove(key);
    this.changes += 1;
    if (job.isSpooled) await this.#spool.remove(job.file);
  }

  async #hasRoom(file: string): Promise<boolean> {
    const { files, spooledBytes } = this.#lanes;
    if (files >= this.#limits.spoolFiles) return false;
    const { size } = await stat(file);
    return spooledBytes + size <= this.#limits.spoolBytes && this.#spool.hasFreeDisk();
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    await this.#spool.create();
    const entries = await this.#journal.list();
    for (const { key, value } of entries) this.#lanes.add(key, value);
    await this.#spool.sweep(new Set(entries.map(({ value }) => value.file)));
  }
}

type Untried = Pick<UploadJob, 'tries' | 'nextTryAtMs' | 'failure' | 'error' | 'uploadId' | 'partBytes' | 'etags'>;

function byNextTry(one: UploadJob | undefined, other: UploadJob | undefined): number {
  return (one?.nextTryAtMs ?? 0) - (other?.nextTryAtMs ?? 0);
}

function dateOf(ms: number | undefined): string {
  return ms ? new Date(ms).toISOString() : '';
}

const floorBytes = 1024 ** 3;
const name = /^[0-9A-Za-z._-]{1,128}$/;

/** The directory of files that wait for the cloud. Each is a second name of the original, where the disk allows it. */
class UploadSpool {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** True if the disk has space beyond its other needs: a twentieth of it stays free, or a gigabyte. */
  async hasFreeDisk(): Promise<boolean> {
    const { bavail, blocks, bsize } = await statfs(this.#directory);
    return bavail * bsize >= Math.min(floorBytes, (blocks * bsize) / 20);
  }

  async create(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** Takes a file in, whole or not at all; of no effect when it is there. */
  async take(id: string, from: string): Promise<{ file: string; bytes: number }> {
    const file = this.#file(id);
    await linkFile(from, file);
    return { file, bytes: (await stat(file)).size };
  }

  async write(id: string, text: string): Promise<{ file: string; bytes: number }> {
    const file = this.#file(id);
    await writeFile(`${file}.tmp`, text, { flush: true });
    await rename(`${file}.tmp`, file);
    return { file, bytes: Buffer.byteLength(text) };
  }

  async remove(file: string): Promise<void> {
    await rm(this.#file(basename(file)), { force: true });
  }

  /** Removes what no upload waits for any more: its process was killed in between. */
  async sweep(wanted: ReadonlySet<string>): Promise<void> {
    for (const entry of await readdir(this.#directory)) {
      const file = join(this.#directory, entry);
      if (!wanted.has(file)) await rm(file, { force: true });
    }
  }

  #file(id: string): string {
    if (!name.test(id)) throw new Error('not a name for a file that waits');
    return join(this.#directory, id);
  }
}
