import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudLimits } from '@weir/contract';
import { placeText } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import type { Segment } from '../../segments/segment.ts';
import type { SegmentConsumer } from '../../segments/segment-feed.ts';
import { isSeam, type LoggedSegment, SegmentLog } from '../../segments/segment-log.ts';
import { segmentPlaylist } from '../../segments/segment-playlist.ts';
import type { UploadJob } from '../../uploads/upload-job.ts';
import type { UploadOwner, UploadPlace, UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudRow, type CloudRows } from './cloud-rows.ts';
import type { CloudKind, CloudSwitches } from './cloud-switches.ts';

/** What tells the two kinds apart: where files go, and what is done when the last one is there. */
export interface CloudSink {
  isReady(): Promise<boolean>;
  /** What is known of its place when a recording begins. */
  begin(uuid: string): Promise<Partial<CloudRow>>;
  placeFor(row: CloudRow, job: UploadJob): Promise<UploadPlace>;
  /** Everything is there. Done again when it fails, so it must bear that. */
  finish(row: CloudRow): Promise<Partial<CloudRow>>;
  /** The public address of a segment. */
  urlOf(row: CloudRow, tsid: string): string;
}

interface Needs {
  readonly kind: CloudKind;
  readonly directory: string;
  readonly rows: CloudRows;
  readonly queue: UploadQueue;
  readonly switches: CloudSwitches;
  readonly sink: CloudSink;
  readonly log: Log;
  readonly silenceMs?: number;
}

interface OpenRecording {
  readonly row: CloudRow;
  readonly log: SegmentLog;
  last: LoggedSegment | undefined;
  lastClientId: string;
  heardAtMs: number;
}

const playlistId = (uuid: string) => `${uuid}-playlist`;
/** Ids that are remembered: a segment may be offered again after a restart. */
const mostKnown = 5000;

/** Puts the segments of every stream into the cloud, one recording per stream until it is silent. */
export class CloudRecorder implements SegmentConsumer, UploadOwner {
  readonly name: CloudKind;
  /** Taking one is a link and a note: what waits for the cloud waits in the queue of uploads. */
  readonly most = 10_000;
  readonly #needs: Needs;
  readonly #open = new Map<string, OpenRecording>();
  readonly #known = new Set<string>();
  readonly #resumed = Promise.withResolvers<void>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.name = needs.kind;
    needs.queue.own(needs.kind, this);
  }

  /** Takes up what was being recorded when the server last ran. Segments wait for it. */
  async resume(): Promise<void> {
    await mkdir(this.#needs.directory, { recursive: true, mode: 0o700 });
    for (const row of await this.#needs.rows.list()) {
      if (row.state === 'done') continue;
      const log = this.#logOf(row.uuid);
      const segments = await log.repair();
      for (const { tsid } of segments.slice(-mostKnown / 10)) this.#remember(tsid);
      // Its playlist may not have come into the queue before the process was killed.
      if (row.state === 'finishing') await this.#sendPlaylist(row);
      else {
        const last = segments.at(-1);
        const silentMs = Math.max(0, Date.now() - (last?.atMs ?? row.startedAtMs));
        const heardAtMs = performance.now() - silentMs;
        this.#open.set(placeText(row), { row, log, last, lastClientId: '', heardAtMs });
      }
    }
    this.#resumed.resolve();
  }

  async take(segment: Segment): Promise<void> {
    const { kind, switches, sink } = this.#needs;
    if (!(await switches.isOn(kind)) || !(await sink.isReady())) return;
    await this.#resumed.promise;
    if (this.#known.has(segment.id)) return;
    const recording = this.#open.get(placeText(segment)) ?? (await this.#begin(segment));
    recording.heardAtMs = performance.now();
    await this.#record(recording, segment);
  }

  miss(segment: Segment): void {
    const recording = this.#open.get(placeText(segment));
    if (!recording) return;
    const { log } = this.#needs;
    this.#change(recording.row.uuid, ({ lost }) => ({ lost: lost + 1 })).catch((error: unknown) =>
      log.warn({ err: error }, 'a segment that was lost could not be counted'),
    );
  }

  /** Ends what has been silent for too long, whether or not it is switched on. */
  async endSilent(): Promise<void> {
    const { silenceMs = cloudLimits.silenceMs } = this.#needs;
    for (const [key, recording] of [...this.#open]) {
      if (performance.now() - recording.heardAtMs < silenceMs) continue;
      this.#open.delete(key);
      await this.#finish(recording);
    }
  }

  async list(): Promise<{ row: CloudRow; waiting: number }[]> {
    const rows = await this.#needs.rows.list();
    return Promise.all(rows.map(async (row) => ({ row, waiting: await this.#waiting(row) })));
  }

  /** Of what the cloud has by now. */
  async playlist(uuid: string): Promise<string> {
    const row = await this.#needs.rows.get(uuid);
    if (!row) throw new WeirError('not_found', 'there is no recording of this id in the cloud');
    const segments = await this.#segments(row);
    const there = segments.slice(0, Math.max(0, segments.length - (await this.#waiting(row))));
    if (there.length === 0) throw new WeirError('not_found', 'nothing of this recording is in the cloud yet');
    const uri = ({ tsid }: LoggedSegment) => this.#needs.sink.urlOf(row, tsid);
    return segmentPlaylist(there, { isOpen: row.state !== 'done', uri });
  }

  async placeFor(job: UploadJob): Promise<UploadPlace> {
    const row = await this.#needs.rows.get(job.lane);
    if (!row) throw new Error('an upload of no recording');
    return this.#needs.sink.placeFor(row, job);
  }

  async uploaded(job: UploadJob): Promise<void> {
    const { rows, sink, log } = this.#needs;
    if (job.id !== playlistId(job.lane)) return;
    const row = await rows.get(job.lane);
    if (!row) return;
    const change = await sink.finish(row);
    await rows.change(row.uuid, () => ({ ...change, state: 'done' }));
    log.info({ uuid: row.uuid, app: row.app, stream: row.stream, segments: row.segments }, 'recording is in the cloud');
  }

  async gone(job: UploadJob): Promise<void> {
    const tsid = job.id;
    await this.#change(job.lane, ({ lost, missing }) => ({ lost: lost + 1, missing: [...missing, tsid] }));
  }

  async #begin({ vhost, app, stream }: Segment): Promise<OpenRecording> {
    const { rows, sink, log } = this.#needs;
    const uuid = randomUUID();
    const atMs = Date.now();
    const place = await sink.begin(uuid);
    const row = CloudRow.parse({ uuid, vhost, app, stream, startedAtMs: atMs, updatedAtMs: atMs, ...place });
    const segments = this.#logOf(uuid);
    await segments.begin({ vhost, app, stream, startedAtMs: atMs });
    await rows.put(row);
    const recording = { row, log: segments, last: undefined, lastClientId: '', heardAtMs: performance.now() };
    this.#open.set(placeText(row), recording);
    log.info({ uuid, app, stream }, 'recording into the cloud began');
    return recording;
  }

  /** In the queue before it is in the log: of a crash between the two it is offered, and taken, again. */
  async #record(recording: OpenRecording, segment: Segment): Promise<void> {
    const { kind, queue } = this.#needs;
    const { uuid } = recording.row;
    const request = { owner: kind, id: segment.id, lane: uuid, key: `${uuid}/${segment.id}.ts`, type: 'video/MP2T' };
    const bytes = await queue.add({ ...request, source: { link: segment.file } });
    if (bytes === undefined) {
      await this.#change(uuid, ({ lost }) => ({ lost: lost + 1 }));
      return;
    }
    const { last, lastClientId } = recording;
    const entry: LoggedSegment = {
      tsid: segment.id,
      sequence: segment.sequence,
      durationMs: segment.durationMs,
      bytes,
      isDiscontinuity: last !== undefined && isSeam(last, lastClientId, segment),
      atMs: Date.now(),
    };
    await recording.log.append(entry);
    this.#remember(segment.id);
    recording.last = entry;
    recording.lastClientId = segment.clientId;
    await this.#change(uuid, (row) => ({
      segments: row.segments + 1,
      durationMs: row.durationMs + entry.durationMs,
      bytes: row.bytes + bytes,
    }));
  }

  async #finish({ row: { uuid } }: OpenRecording): Promise<void> {
    const { rows } = this.#needs;
    const row = await rows.get(uuid);
    if (!row) return;
    if (row.segments === 0) {
      await rows.delete(uuid);
      await rm(this.#file(uuid), { force: true });
      return;
    }
    await this.#sendPlaylist(await rows.change(uuid, () => ({ state: 'finishing' })));
  }

  /** Last in its lane: when it arrives, everything it names is there. */
  async #sendPlaylist(row: CloudRow): Promise<void> {
    const { kind, queue } = this.#needs;
    const text = segmentPlaylist(await this.#segments(row), { isOpen: false, uri: ({ tsid }) => `${tsid}.ts` });
    const key = `${row.uuid}/index.m3u8`;
    const type = 'application/vnd.apple.mpegurl';
    await queue.add({ owner: kind, id: playlistId(row.uuid), lane: row.uuid, key, type, source: { text } });
  }

  async #segments({ uuid, missing }: CloudRow): Promise<LoggedSegment[]> {
    return (await this.#logOf(uuid).read()).filter(({ tsid }) => !missing.includes(tsid));
  }

  /** Segments that are not uploaded yet; a playlist is none. */
  async #waiting({ uuid, state }: CloudRow): Promise<number> {
    if (state === 'done') return 0;
    return Math.max(0, (await this.#needs.queue.waitingIn(this.name, uuid)) - (state === 'finishing' ? 1 : 0));
  }

  #change(uuid: string, change: (row: CloudRow) => Partial<CloudRow>): Promise<CloudRow> {
    return this.#needs.rows.change(uuid, change);
  }

  #remember(tsid: string): void {
    this.#known.add(tsid);
    const [oldest] = this.#known;
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  #logOf(uuid: string): SegmentLog {
    return new SegmentLog(this.#file(uuid));
  }

  #file(uuid: string): string {
    return join(this.#needs.directory, `${uuid}.log`);
  }
}
