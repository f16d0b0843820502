import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import {
  findPictureExtension,
  type LibraryItem,
  type Source,
  type SourceProbe,
  type SourceRef,
  sourceLimits,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Input, Snapshot } from '@weir/process';
import { type Clock, isoNow } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import type { OutgoingMedia } from '../core/outgoing/media/outgoing-media.ts';
import type { OutgoingProxy } from '../core/outgoing/media/outgoing-proxy.ts';
import { serverFiles } from '../core/server-files.ts';
import type { Store } from '../core/store/store.ts';
import { Downloads } from './downloads/downloads.ts';
import { SourceProber } from './probe/source-prober.ts';
import { checkProbe, checkTogether, type ProbeRules } from './probe/source-rules.ts';
import { type RunLimits, runLimits } from './run-limits.ts';
import { takeServerFile } from './server-file.ts';
import { sourceError } from './source-error.ts';
import { SourceFolders } from './source-folders.ts';
import { SourcePictures } from './source-pictures.ts';
import { type SourceRecord, SourceRepository } from './source-repository.ts';
import { readStreamAddress } from './stream-address.ts';
import { Uploads } from './uploads/uploads.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly proxy: OutgoingProxy;
  readonly media: OutgoingMedia;
  readonly largestBytes: number;
  readonly downloadProxy: string;
}

/** Input options for ffmpeg, and secrets in them. */
interface SourceReading {
  /** Tells one plan from another. */
  readonly input: Input;
  /** At each start: what is read then. Rejects with an `OutgoingError` where it may not be. */
  readonly open: () => Promise<Input>;
  readonly secrets: readonly string[];
  /** Limits of duration and speed from the address of a stream. */
  readonly limits: RunLimits;
}

/** A file that a slate is made of. */
interface SlateSource {
  readonly path: string;
  /** Rather than a film. */
  readonly isPicture: boolean;
  readonly width: number;
  readonly height: number;
}

/** Users of sources: slot names with the ids that each holds. */
export type SourceHolder = () => Promise<readonly { readonly slot: string; readonly uuids: readonly string[] }[]>;

/**
 * Files and URLs as sources: location, probe and permission. Features store ids and ask here for the rest; facts that
 * clients send along with an id are ignored.
 */
export class Sources {
  readonly uploads: Uploads;
  readonly downloads: Downloads;
  readonly folders: SourceFolders;
  readonly #context: Context;
  readonly #repository: SourceRepository;
  readonly #prober: SourceProber;
  readonly #pictures: SourcePictures;
  readonly #holders: SourceHolder[] = [];
  /** Moving and removing of files: of two calls about the same source the second finds what the first made of it. */
  readonly #turns = new Mutex();

  constructor(context: Context) {
    const { store, dataDir, proxy, media, largestBytes, downloadProxy, log, clock } = context;
    this.#context = context;
    const repository = new SourceRepository(store);
    const folders = new SourceFolders(dataDir);
    this.#repository = repository;
    this.folders = folders;
    this.#prober = new SourceProber({ proxy, media });
    this.#pictures = new SourcePictures(clock);
    this.uploads = new Uploads({ repository, folders, largestBytes, clock });
    this.downloads = new Downloads({ repository, folders, proxy, largestBytes, log, clock, givenProxy: downloadProxy });
  }

  /** A feature whose slots keep sources from being deleted. */
  registerHolder(holder: SourceHolder): void {
    this.#holders.push(holder);
  }

  takeServerFile(file: string): Promise<SourceRecord> {
    const { clock, dataDir } = this.#context;
    const [folders, repository] = [this.folders, this.#repository];
    return takeServerFile(file, { folders, repository, clock, paths: serverFiles(dataDir) });
  }

  /** The address is not contacted before it is accepted. */
  async takeStream(typed: string): Promise<{ name: string; uuid: string; target: string }> {
    const address = readStreamAddress(typed);
    await this.#prober.confirm(address);
    const facts = {
      name: address.name,
      path: typed.trim(),
      size: 0,
      extension: '',
      created: isoNow(this.#context.clock),
      probe: null,
    };
    const record: SourceRecord = { uuid: randomUUID(), type: 'stream', state: 'prepared', ...facts };
    await this.#repository.add(record);
    return { name: record.name, uuid: record.uuid, target: record.path };
  }

  /**
   * Probes prepared sources and stores them. All are probed before anything changes and nothing is removed, so that a failed call can be
   * repeated with the same ids.
   */
  async accept(
    refs: readonly SourceRef[],
    { only, ...rules }: ProbeRules & { readonly only?: 'stream' },
  ): Promise<Source[]> {
    if (refs.length === 0) throw new WeirError('missing_field', 'no files');
    const probed: SourceRecord[] = [];
    for (const { uuid } of refs) {
      const record = await this.#known(uuid);
      if (only !== undefined && record.type !== only)
        throw new WeirError('invalid_input', `files: only a ${only} can be used here`);
      // The same twice in a list is looked at once.
      const probe = probed.find((other) => other.uuid === uuid)?.probe ?? (await this.#probe(record));
      checkProbe(probe, rules);
      probed.push({ ...record, probe });
    }
    checkTogether(probed.map((record) => this.#toSource(record)));
    const accepted: Source[] = [];
    for (const { uuid, probe } of probed) accepted.push(this.#toSource(await this.#keep(uuid, probe)));
    return accepted;
  }

  /** Accepted sources in the requested order; unknown ids are left out. */
  async get(uuids: readonly string[]): Promise<Source[]> {
    const records = await Promise.all(uuids.map((uuid) => this.#repository.get(uuid)));
    return records
      .filter((record) => record !== undefined && record.state === 'accepted' && !isPicture(record))
      .map((record) => this.#toSource(record as SourceRecord));
  }

  /** Keeps an uploaded picture, film or piece of music for a slate, and says where it lies. */
  async forSlate(uuid: string, track: 'video' | 'audio'): Promise<SlateSource> {
    const record = await this.#known(uuid);
    if (record.type === 'stream')
      throw sourceError('file-kind', 'a slate is made of an uploaded file, not of a stream');
    const probe = await this.#probe(record);
    if (!probe[track]) throw sourceError('nothing', `the file has no ${track}`);
    if (track === 'video' && !probe.video?.width) throw sourceError('input-broken', 'the picture cannot be read');
    const kept = await this.#keep(uuid, probe);
    const { width = 0, height = 0 } = probe.video ?? {};
    return { path: this.folders.file(kept), isPicture: isPicture(record), width, height };
  }

  /** The ids of what a client sent back, each known and accepted. */
  async idsOf(refs: readonly SourceRef[]): Promise<string[]> {
    if (refs.length === 0) throw new WeirError('missing_field', 'no files');
    const found = await this.get(refs.map(({ uuid }) => uuid));
    if (found.length !== refs.length) throw unknownSource();
    checkTogether(found);
    return found.map(({ uuid }) => uuid);
  }

  /** Address of a foreign stream. It is not contacted. Throws with the reason if it is invalid. */
  async confirmStream(typed: string): Promise<void> {
    await this.#prober.confirm(readStreamAddress(typed));
  }

  /** Input options of such an address. */
  streamReading(typed: string): SourceReading {
    const address = readStreamAddress(typed);
    return { ...this.#prober.reading(address), limits: runLimits(address.query) };
  }

  /** Input options: a stream as it comes, files looped one after the other. */
  async readingOf(sources: readonly Source[]): Promise<SourceReading | undefined> {
    const [first] = sources;
    if (!first) return undefined;
    if (first.type === 'stream') return this.streamReading(first.target);
    const records = await Promise.all(sources.map(({ uuid }) => this.#repository.get(uuid)));
    const paths = records.flatMap((record) => (record ? [this.folders.file(record)] : []));
    const [path] = paths;
    if (path === undefined) return undefined;
    const seconds = sources.map(({ format }) => Number(format.duration));
    const input: Input = paths.length === 1 ? { kind: 'file', path } : await listInput(paths, seconds, this.folders);
    return { input, open: async () => input, secrets: [], limits: {} };
  }

  /** One frame, to recognise a source by. */
  async picture(uuid: string): Promise<Snapshot> {
    const record = await this.#known(uuid);
    const from =
      record.type === 'stream' ? { address: readStreamAddress(record.path) } : { path: this.folders.file(record) };
    return this.#pictures.get(uuid, () => this.#prober.picture(from));
  }

  async library(kind: 'media' | 'picture' = 'media'): Promise<LibraryItem[]> {
    const held = await this.#held();
    return (await this.#repository.list())
      .filter((record) => record.state === 'accepted' && isPicture(record) === (kind === 'picture'))
      .map((record) => ({
        source: this.#toSource(record),
        created: record.created,
        usedBy: held.get(record.uuid) ?? [],
      }))
      .sort((a, b) => (a.created < b.created ? 1 : -1));
  }

  async remove(uuid: string): Promise<void> {
    const record = await this.#known(uuid);
    const users = (await this.#held()).get(uuid) ?? [];
    if (users.length > 0)
      throw new WeirError('invalid_input', `the file is used by ${users.join(', ')}, change the files there first`);
    await this.#forget(record);
  }

  /** Removes what nobody used for a while: broken uploads, downloads cut off, sources that were never accepted, streams no slot has. */
  async sweep(): Promise<number> {
    const nowMs = this.#context.clock.dateMs();
    const held = await this.#held();
    let removed = 0;
    for (const record of await this.#repository.list()) {
      const { uuid, state, type } = record;
      if (held.has(uuid) || this.uploads.isActive(uuid) || this.downloads.isActive(uuid)) continue;
      // Films are kept for the library; the address of a stream is not worth it.
      if (state === 'accepted' && type !== 'stream') continue;
      const touchedAt = state === 'receiving' ? await this.uploads.updatedAt(record) : new Date(record.created);
      if (nowMs - touchedAt.getTime() < sourceLimits.unusedMs) continue;
      await this.#forget(record);
      removed += 1;
    }
    await this.folders.removeOldLists(nowMs);
    if (removed > 0) this.#context.log.info({ removed }, 'unused sources removed');
    return removed;
  }

  async close(): Promise<void> {
    await this.downloads.close();
  }

  async #known(uuid: string): Promise<SourceRecord> {
    const record = uuid === '' ? undefined : await this.#repository.get(uuid);
    if (!record || record.state === 'receiving') throw unknownSource();
    return record;
  }

  async #probe(record: SourceRecord): Promise<SourceProbe> {
    if (record.type === 'stream') return this.#prober.stream(readStreamAddress(record.path));
    const path = this.folders.file(record);
    const look = async () => {
      if (!(await stat(path).catch(() => undefined))?.isFile()) {
        throw new WeirError('not_found', 'the file of a source no longer exists, upload it again');
      }
      return record.state === 'accepted' && record.probe ? record.probe : this.#prober.file(path);
    };
    return look().catch(async (error: unknown) => {
      // A concurrent call may have accepted it and moved its file.
      const now = await this.#repository.get(record.uuid);
      if (record.state !== 'accepted' && now?.state === 'accepted' && now.probe) return now.probe;
      throw error;
    });
  }

  async #keep(uuid: string, probe: SourceRecord['probe']): Promise<SourceRecord> {
    return this.#turns.take(async () => {
      const record = await this.#known(uuid);
      if (record.state === 'accepted') return this.#repository.change(uuid, { probe });
      if (record.type !== 'stream') await this.folders.accept(record);
      return this.#repository.change(uuid, { state: 'accepted', probe });
    });
  }

  #forget(record: SourceRecord): Promise<void> {
    return this.#turns.take(async () => {
      await this.folders.remove(record);
      await this.#repository.delete(record.uuid);
    });
  }

  async #held(): Promise<Map<string, string[]>> {
    const held = new Map<string, string[]>();
    for (const holder of this.#holders) {
      for (const { slot, uuids } of await holder()) {
        for (const uuid of new Set(uuids)) held.set(uuid, [...(held.get(uuid) ?? []), slot]);
      }
    }
    return held;
  }

  #toSource(record: SourceRecord): Source {
    const { uuid, name, path, size, type, probe } = record;
    const target = type === 'stream' ? path : this.folders.target(record);
    const nothing = { format: noFormat, video: null, audio: null };
    return { uuid, name, path, size, target, type, ...(probe ?? nothing) };
  }
}

function isPicture({ extension }: SourceRecord): boolean {
  return findPictureExtension(extension) !== undefined;
}

const noFormat: Source['format'] = {
  start_time: '',
  duration: '',
  bit_rate: '',
  nb_streams: 0,
  probe_score: 0,
  has_video: false,
  has_audio: false,
};

function unknownSource(): WeirError {
  return new WeirError('invalid_input', 'files: one of them is not a source of this server, prepare it first');
}

/** Sound often lasts a little longer than its file says. Without this much between two files their timestamps would overlap. */
const pauseSeconds = 0.04;

/** Several files in turn, as a list for ffmpeg. It is named for what it holds, so another order is another input. */
async function listInput(paths: readonly string[], seconds: readonly number[], folders: SourceFolders): Promise<Input> {
  const { concatList } = await import('@weir/process');
  const text = concatList(
    paths.map((path, index) => {
      const length = seconds[index] ?? 0;
      return { path, ...(length > 0 && { seconds: length + pauseSeconds }) };
    }),
  );
  const path = folders.list(createHash('sha256').update(text).digest('hex').slice(0, 32));
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    // Renamed when complete, so that readers never see a partial file.
    await writeFile(`${path}.part`, text, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }
  return { kind: 'file-list', path };
}
