import { randomUUID } from 'node:crypto';
import { Glob, globPath, recordLimits } from '@weir/contract';
import { placeText } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { WeirError } from '../../../core/errors.ts';
import type { Events } from '../../../core/events.ts';
import type { Segment } from '../../../segments/segment.ts';
import type { SegmentConsumer } from '../../../segments/segment-feed.ts';
import { addTo, isSeam, type LoggedSegment, SegmentLog, totalsOf } from '../../../segments/segment-log.ts';
import { type RecordingFiles, sync } from '../library/recording-files.ts';
import type { RecordingRepository, RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';
import { LastSegments } from './last-segments.ts';
import { type Loss, LostSegments } from './lost-segments.ts';

export interface RecordClock {
  /** Since 1970, for people. */
  readonly dateMs: () => number;
  /** For measuring: nobody can set it. */
  readonly elapsedMs: () => number;
}

interface Needs {
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly events: Pick<Events, 'emit'>;
  /** Whether there is room, and whom to tell when there was not. */
  readonly room: { mayRecord(): boolean; refused(error: unknown): void; took(bytes: number): void };
  readonly onFinished: (uuid: string) => void;
  readonly onFirstSegment: (uuid: string) => void;
  readonly log: Log;
  readonly clock?: RecordClock;
}

interface OpenRecording {
  row: RecordingRow;
  readonly log: SegmentLog;
  last: LoggedSegment | undefined;
  lastClientId: string;
  /** On the clock that cannot be set. */
  heardAtMs: number;
  /** Segments whose bytes may not be on the disk yet. */
  unsynced: string[];
  isSaved: boolean;
}

export const systemClock: RecordClock = { dateMs: () => Date.now(), elapsedMs: () => performance.now() };
/** Ids that are remembered: a segment may be offered again after a restart. */
const mostKnown = 5000;
const mostChoices = 2000;

/** Puts segments into recordings: one per stream, from its first segment until it is silent, ended or switched off. */
export class Recorder implements SegmentConsumer {
  readonly name = 'record';
  /** Many: what waits here is only told of, and nothing that was announced may be missed after a restart. */
  readonly most = 10_000;
  readonly #needs: Needs;
  readonly #clock: RecordClock;
  readonly #open = new Map<string, OpenRecording>();
  readonly #turns = new Map<string, Promise<void>>();
  readonly #known = new Set<string>();
  readonly #lost = new LostSegments();
  /** Why segments were not kept that are counted already. */
  readonly #counted = new WeakSet<Error>();
  readonly #last = new LastSegments();
  readonly #resumed = Promise.withResolvers<void>();
  #choices = new Map<string, boolean>();
  #globs: readonly string[] | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#clock = needs.clock ?? systemClock;
  }

  /** Takes up what was being recorded when the server last ran. Segments wait for it. */
  async resume(rows: readonly RecordingRow[], known: readonly string[]): Promise<void> {
    for (const tsid of known) this.#remember(tsid);
    for (const row of rows.filter(({ state }) => state === 'recording')) {
      const log = new SegmentLog(this.#needs.files.file(row.uuid, 'segments.log'));
      const segments = await log.repair();
      const last = segments.at(-1);
      for (const { tsid } of segments.slice(-mostKnown / 10)) this.#remember(tsid);
      const silentMs = Math.max(0, this.#clock.dateMs() - (last?.atMs ?? row.startedAtMs));
      this.#open.set(placeText(row), {
        row: { ...row, ...totalsOf(segments) },
        log,
        last,
        lastClientId: '',
        heardAtMs: this.#clock.elapsedMs() - silentMs,
        unsynced: segments.slice(-5).map(({ tsid }) => tsid),
        isSaved: false,
      });
      if (last && !row.beginTold) await this.#tellBegin(row.uuid);
    }
    this.#resumed.resolve();
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** The newest of recordings that run: the store has them a little late. */
  running(uuid: string): RecordingRow | undefined {
    return this.#find(uuid)?.row;
  }

  /** A picture of it was made; false when it does not run any more. */
  notePicture(uuid: string): boolean {
    const recording = this.#find(uuid);
    if (!recording) return false;
    recording.row = { ...recording.row, hasThumbnail: true };
    recording.isSaved = false;
    return true;
  }

  async take(segment: Segment): Promise<void> {
    await this.#resumed.promise;
    const { all, globs } = await this.#needs.settings.read();
    const key = placeText(segment);
    if (!all || !this.#isChosen(globs, segment)) {
      this.#lost.unwanted(key, segment);
      return;
    }
    await this.#inTurn(key, async () => {
      if (this.#known.has(segment.id)) return;
      try {
        if (this.#needs.room.mayRecord()) await this.#record(segment);
        else await this.#addLost(this.#lost.notKept(key, segment, this.#clock.elapsedMs()));
      } catch (error) {
        await this.#addLost(this.#lost.notKept(key, segment, this.#clock.elapsedMs()));
        if (error instanceof Error) this.#counted.add(error);
        throw error;
      }
    });
  }

  miss(segment: Segment, error: unknown): void {
    this.#needs.room.refused(error);
    // One that was not even tried: too many wait, so others are still to come before it.
    if (error instanceof Error && this.#counted.has(error)) return;
    void this.#addLost(this.#lost.notKeptAhead(placeText(segment), segment));
  }

  /** What a publisher sent last comes after it has left. */
  publisherLeft(place: Pick<Segment, 'vhost' | 'app' | 'stream'>): void {
    const key = placeText(place);
    if (this.#open.has(key)) this.#last.expect(key);
  }

  /** By hand. The stream's next segment begins another, which is not the one that was on its way. */
  async end(uuid: string): Promise<void> {
    const recording = this.#find(uuid);
    if (!recording) throw new WeirError('not_found', 'this recording is not running');
    const key = placeText(recording.row);
    await this.#last.arrival(key);
    await this.#inTurn(key, async () => {
      await this.#finish(uuid);
      this.#lost.forget(key);
    });
  }

  /** Because there is no room: what comes from now on is missing in them. */
  async endAll(): Promise<void> {
    for (const { row } of [...this.#open.values()]) await this.#inTurn(placeText(row), () => this.#finish(row.uuid));
  }

  /** Ends what has been silent for too long. */
  async endSilent(): Promise<void> {
    const { all } = await this.#needs.settings.read();
    const limitMs = all ? recordLimits.silenceMs : recordLimits.silenceWhenOffMs;
    for (const { row, heardAtMs } of [...this.#open.values()]) {
      if (this.#clock.elapsedMs() - heardAtMs < limitMs) continue;
      await this.#inTurn(placeText(row), async () => {
        // A segment may have come while this waited for its turn.
        const recording = this.#find(row.uuid);
        if (!recording || this.#clock.elapsedMs() - recording.heardAtMs < limitMs) return;
        await this.#finish(row.uuid);
        this.#lost.forget(placeText(row));
      });
    }
  }

  /** Brings everything of the recordings that run to the disk. */
  async syncAll(): Promise<void> {
    for (const recording of [...this.#open.values()]) await this.#sync(recording);
  }

  /** Brings the store up to the logs. */
  async saveAll(): Promise<void> {
    for (const recording of [...this.#open.values()]) {
      if (recording.isSaved) continue;
      const { row } = recording;
      await this.#needs.recordings.put(row);
      recording.isSaved = recording.row === row;
    }
  }

  async #record(segment: Segment): Promise<void> {
    const { room, files } = this.#needs;
    const recording = this.#open.get(placeText(segment)) ?? (await this.#begin(segment));
    const { row, log, last } = recording;
    recording.heardAtMs = this.#clock.elapsedMs();
    const bytes = await files.keep(row.uuid, segment.id, segment.file);
    const entry: LoggedSegment = {
      tsid: segment.id,
      sequence: segment.sequence,
      durationMs: segment.durationMs,
      bytes,
      isDiscontinuity: last !== undefined && isSeam(last, recording.lastClientId, segment),
      atMs: this.#clock.dateMs(),
    };
    try {
      await log.append(entry);
    } catch (error) {
      await files.drop(row.uuid, segment.id);
      throw error;
    }
    room.took(bytes);
    this.#remember(segment.id);
    recording.last = entry;
    recording.lastClientId = segment.clientId;
    recording.unsynced.push(segment.id);
    recording.row = { ...recording.row, ...addTo(totalsIn(recording.row), entry), updatedAtMs: entry.atMs };
    recording.isSaved = false;
    this.#last.came(placeText(segment));
    await this.#addLost(this.#lost.kept(placeText(segment), row.uuid, segment, recording.heardAtMs));
    if (!last) {
      await this.#tellBegin(row.uuid);
      this.#needs.onFirstSegment(row.uuid);
    }
  }

  /** Of a recording that runs or one that is closed; never a reason to fail. */
  async #addLost(loss: Loss | undefined): Promise<void> {
    if (!loss || loss.count === 0) return;
    const { recordings, log } = this.#needs;
    const recording = this.#find(loss.uuid);
    if (recording) {
      recording.row = { ...recording.row, lost: recording.row.lost + loss.count };
      recording.isSaved = false;
      return;
    }
    await recordings
      .addLost(loss.uuid, loss.count)
      .catch((error: unknown) => log.warn({ ...loss, err: error }, 'segments that are missing could not be counted'));
  }

  async #begin({ vhost, app, stream }: Segment): Promise<OpenRecording> {
    const { files, recordings, log } = this.#needs;
    const uuid = randomUUID();
    const nowMs = this.#clock.dateMs();
    const row: RecordingRow = {
      ...{ uuid, vhost, app, stream, state: 'recording', startedAtMs: nowMs, updatedAtMs: nowMs, endedAtMs: 0 },
      ...{ segments: 0, durationMs: 0, bytes: 0, discontinuities: 0, lost: 0, mp4Bytes: 0, hasThumbnail: false },
      ...{ failure: '', error: '', tries: 0, nextTryAtMs: 0, copy: '', beginTold: false, endTold: false },
      ...{ segmentsAre: 'kept', diskBytes: 0 },
    };
    const segments = new SegmentLog(files.file(uuid, 'segments.log'));
    try {
      await files.create(uuid);
      await segments.begin({ vhost, app, stream, startedAtMs: nowMs });
      await recordings.put(row);
    } catch (error) {
      await files.remove(uuid).catch(() => undefined);
      throw error;
    }
    const recording: OpenRecording = {
      row,
      log: segments,
      last: undefined,
      lastClientId: '',
      heardAtMs: this.#clock.elapsedMs(),
      unsynced: [],
      isSaved: true,
    };
    this.#open.set(placeText(row), recording);
    log.info({ uuid, app, stream }, 'recording began');
    return recording;
  }

  async #finish(uuid: string): Promise<void> {
    const recording = this.#find(uuid);
    if (!recording) return;
    const { recordings, files, log, onFinished } = this.#needs;
    const key = placeText(recording.row);
    await this.#sync(recording).catch((error: unknown) => log.warn({ uuid, err: error }, 'recording not synced'));
    if (recording.row.segments === 0) {
      this.#open.delete(key);
      await files.remove(uuid);
      await recordings.delete(uuid);
      return;
    }
    const nowMs = this.#clock.dateMs();
    const before = recording.row;
    const row: RecordingRow = { ...before, state: 'finishing', endedAtMs: nowMs, updatedAtMs: nowMs };
    // From now on nobody saves it as one that runs. A store that does not take it leaves it open until the next look.
    recording.row = row;
    await recordings.put(row).catch((error: unknown) => {
      recording.row = before;
      throw error;
    });
    // Whatever comes from now on belongs to the next one.
    this.#open.delete(key);
    const { segments, durationMs, lost } = row;
    log.info({ uuid, app: row.app, stream: row.stream, segments, durationMs, lost }, 'recording ended');
    onFinished(uuid);
  }

  /** Told, then noted: a crash between the two tells it twice rather than never. */
  async #tellBegin(uuid: string): Promise<void> {
    const recording = this.#find(uuid);
    if (!recording) return;
    const { vhost, app, stream } = recording.row;
    this.#needs.events.emit('record:began', { vhost, app, stream, uuid });
    recording.row = { ...recording.row, beginTold: true };
    await this.#needs.recordings.put(recording.row);
  }

  async #sync(recording: OpenRecording): Promise<void> {
    const { files } = this.#needs;
    const { uuid } = recording.row;
    const tsids = recording.unsynced;
    if (tsids.length === 0) return;
    recording.unsynced = [];
    for (const tsid of tsids) await sync(files.segment(uuid, tsid));
    await sync(files.file(uuid, 'segments.log'));
    await sync(files.directory(uuid));
  }

  /** What is done to one stream's recording is done one after the other. */
  #inTurn(key: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work);
    const settled = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(key) === settled) this.#turns.delete(key);
      });
    this.#turns.set(key, settled);
    return turn;
  }

  #find(uuid: string): OpenRecording | undefined {
    for (const recording of this.#open.values()) if (recording.row.uuid === uuid) return recording;
    return undefined;
  }

  #isChosen(globs: readonly string[], segment: Segment): boolean {
    if (globs.length === 0) return true;
    if (this.#globs !== globs || this.#choices.size >= mostChoices) this.#choices = new Map();
    this.#globs = globs;
    const path = globPath(segment);
    const known = this.#choices.get(path);
    if (known !== undefined) return known;
    const isChosen = globs.some((pattern) => {
      const glob = Glob.parse(pattern);
      return typeof glob !== 'string' && glob.matches(path);
    });
    this.#choices.set(path, isChosen);
    return isChosen;
  }

  #remember(tsid: string): void {
    this.#known.add(tsid);
    if (this.#known.size <= mostKnown) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      break;
    }
  }
}

function totalsIn({ segments, durationMs, bytes, discontinuities }: RecordingRow) {
  return { segments, durationMs, bytes, discontinuities };
}
