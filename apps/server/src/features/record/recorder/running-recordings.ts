import { Glob, globPath, sourceQuality } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { type SegmentFormatName, segmentFormatNames, type WirePlace } from '@weir/streams';
import {
  endedLatelyMs,
  RecordingSessions,
  type SessionClock,
  sessionKey,
} from '../../../segments/recording-sessions.ts';
import type { LoggedSegment } from '../../../segments/segment-log.ts';
import type { EndReason, RecordingSession, SessionFacts, SessionOwner } from '../../../segments/session-owner.ts';
import type { TranscriptIndex } from '../../../transcript-index/transcript-index.ts';
import { type RecordingFiles, sync } from '../library/recording-files.ts';
import type { RecordingRepository, RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';
import { type Loss, LostSegments } from './lost-segments.ts';

/** Longest wait for the last segment of a publisher that left. The engine cuts it within a second, and reporting it takes some time. */
const onItsWayMs = 4000;

/** Knows streams whose last segment is pending, so that ending a recording does not lose it. */
class LastSegments {
  readonly #awaited = new Map<string, PromiseWithResolvers<void>>();

  /** Expects the last segments of a publisher that left. */
  expect(key: string): void {
    const arrival = Promise.withResolvers<void>();
    this.#awaited.get(key)?.resolve();
    this.#awaited.set(key, arrival);
    setTimeout(() => {
      if (this.#awaited.get(key) === arrival) this.came(key);
    }, onItsWayMs).unref();
  }

  came(key: string): void {
    this.#awaited.get(key)?.resolve();
    this.#awaited.delete(key);
  }

  /** Resolves when nothing more is on its way. */
  async arrival(key: string): Promise<void> {
    await this.#awaited.get(key)?.promise;
  }
}

const mostChoices = 2000;

/**
 * Matches streams against the patterns. Results are cached while the patterns stay the same, because every segment
 * asks.
 */
class StreamChoice {
  #answers = new Map<string, boolean>();
  #globs: readonly string[] | undefined;

  /** Without a pattern, all are chosen. */
  has(globs: readonly string[], segment: FinishedSegment): boolean {
    if (globs.length === 0) return true;
    if (this.#globs !== globs || this.#answers.size >= mostChoices) this.#answers = new Map();
    this.#globs = globs;
    const path = globPath(segment);
    const known = this.#answers.get(path);
    if (known !== undefined) return known;
    const isChosen = globs.some((pattern) => {
      const glob = Glob.parse(pattern);
      return typeof glob !== 'string' && glob.matches(path);
    });
    this.#answers.set(path, isChosen);
    return isChosen;
  }
}

/** Is told of the life of recordings. */
interface RecordingObserver {
  /** Has its first segment. Told again after a crash. */
  began(recording: WirePlace & { readonly uuid: string; readonly quality?: string | undefined }): void;
  ended(): void;
}

export interface RecordingContext {
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  /** Links the transcript of a segment to its recording. */
  readonly words: Pick<TranscriptIndex, 'recorded' | 'arrange'>;
  /** Storage check, with reports of failures and usage. */
  readonly room: { mayRecord(): boolean; refused(error: unknown): void; took(bytes: number): void };
  readonly observer: RecordingObserver;
  readonly log: Log;
  readonly clock: SessionClock;
}

/** State of a recording in progress. */
interface Running {
  /** Ahead of the one in the store. */
  row: RecordingRow;
  isSaved: boolean;
  /** Segments whose bytes may not be on the disk yet. */
  unsynced: LoggedSegment[];
  /** Quality of the stream itself, as its last segment told. */
  ownQuality?: string | undefined;
}

type Session = RecordingSession<Running>;

/** Segments of a session that was taken up whose bytes may have been in memory only. */
const unsyncedAtStart = 5;

/** The recordings that run: a directory and a row for each, the row a summary of the log that is saved now and then. */
export class RunningRecordings implements SessionOwner<Running> {
  readonly sessions: RecordingSessions<Running>;
  readonly lastSegments = new LastSegments();
  readonly #context: RecordingContext;
  readonly #choice = new StreamChoice();
  readonly #lost = new LostSegments();
  /** Why segments were not kept that are counted already. */
  readonly #counted = new WeakSet<Error>();
  #isResumed = false;

  constructor(context: RecordingContext) {
    this.#context = context;
    this.sessions = new RecordingSessions(this, context.clock);
  }

  /** Takes up what was being recorded when the server last ran. */
  async resume(rows: readonly RecordingRow[]): Promise<void> {
    const lateMs = this.#context.clock.dateMs() - endedLatelyMs;
    const running = rows.filter(({ state }) => state === 'recording');
    await this.sessions.resume({
      open: running.map((row) => ({ ...row, data: { row, isSaved: false, unsynced: [] } })),
      ended: rows.filter(({ endedAtMs }) => endedAtMs > lateMs),
    });
    this.#isResumed = true;
  }

  /** A picture of it was made; false when it does not run any more. */
  notePicture(uuid: string): boolean {
    const session = this.sessions.find(uuid);
    if (session) change(session, { hasThumbnail: true });
    return session !== undefined;
  }

  /** Notes a lost segment with its reason. */
  missed(segment: FinishedSegment, error: unknown): void {
    this.#context.room.refused(error);
    // Dropped from a full queue without an attempt, so earlier ones are still to come.
    if (error instanceof Error && this.#counted.has(error)) return;
    void this.#addLost(this.#lost.notKeptAhead(numberedKey(segment), segment));
  }

  /** Brings everything to the disk. */
  async sync(): Promise<void> {
    for (const session of this.sessions.open) await this.#sync(session);
  }

  /** Brings the store up to the logs. */
  async save(): Promise<void> {
    for (const { data } of this.sessions.open) {
      if (data.isSaved) continue;
      const { row } = data;
      await this.#context.recordings.put(row);
      data.isSaved = data.row === row;
    }
  }

  /** Segments between off and on do not count as lost. */
  switched(): void {
    this.#lost.forgetAll();
  }

  logFile(uuid: string): string {
    return this.#context.files.file(uuid, 'segments.log');
  }

  /** Format of recordings that run, and of the next. One that runs keeps the format it began with. */
  async formats(): Promise<readonly SegmentFormatName[]> {
    // Until the recordings of the last run are known, any format may be one of theirs.
    if (!this.#isResumed) return segmentFormatNames;
    const running = this.sessions.open.flatMap(({ last }) => last?.format ?? []);
    return [...new Set([await this.#nextFormat({}), ...running])];
  }

  /** Lower qualities that are recorded, as far as streams have them. */
  async qualities(): Promise<readonly string[]> {
    return (await this.#context.settings.read()).qualities.filter((name) => name !== sourceQuality);
  }

  /** True while the quality of a recording is chosen. */
  isChosen({ quality, data: { ownQuality } }: Session): Promise<boolean> {
    return this.#isQualityChosen({ quality, ownQuality });
  }

  async #isQualityChosen({ quality, ownQuality }: Pick<FinishedSegment, 'quality' | 'ownQuality'>): Promise<boolean> {
    const { qualities } = await this.#context.settings.read();
    const names = quality ? [quality] : [sourceQuality, ownQuality];
    return names.some((name) => name !== undefined && qualities.includes(name));
  }

  async wants(segment: FinishedSegment): Promise<boolean> {
    const { settings, room } = this.#context;
    const { all, globs } = await settings.read();
    if (!(await this.#isQualityChosen(segment))) return false;
    // The same stretch of the stream comes in the other format.
    if (segment.format !== (this.sessions.of(segment)?.last?.format ?? (await this.#nextFormat(segment)))) return false;
    if (!all || !this.#choice.has(globs, segment)) {
      this.#lost.unwanted(numberedKey(segment), segment);
      return false;
    }
    if (!room.mayRecord()) await this.#notKept(segment);
    return room.mayRecord();
  }

  async begin({ uuid, vhost, app, stream, quality = '', startedAtMs }: SessionFacts): Promise<Running> {
    const row: RecordingRow = {
      uuid,
      vhost,
      app,
      stream,
      quality,
      state: 'recording',
      startedAtMs,
      updatedAtMs: startedAtMs,
      endedAtMs: 0,
      segments: 0,
      durationMs: 0,
      bytes: 0,
      discontinuities: 0,
      lost: 0,
      mp4Bytes: 0,
      hasThumbnail: false,
      failure: '',
      error: '',
      tries: 0,
      nextTryAtMs: 0,
      copy: '',
      beginTold: false,
      endTold: false,
      segmentsAre: 'kept',
      diskBytes: 0,
    };
    await this.#context.recordings.put(row);
    this.#context.log.info({ uuid, app, stream, quality }, 'recording started');
    return { row, isSaved: true, unsynced: [] };
  }

  async resumed(session: Session, segments: readonly LoggedSegment[]): Promise<void> {
    this.#context.words.arrange(session.uuid, segments);
    session.data.unsynced = segments.slice(-unsyncedAtStart);
    change(session, session.totals);
    if (session.last && !session.data.row.beginTold) await this.#announceBegin(session);
  }

  keep({ uuid }: Session, segment: FinishedSegment): Promise<number> {
    return this.#context.files.keep(uuid, segment);
  }

  drop({ uuid }: Session, segment: FinishedSegment): Promise<void> {
    return this.#context.files.drop(uuid, segment);
  }

  async kept(session: Session, entry: LoggedSegment, segment: FinishedSegment): Promise<void> {
    const { room, words } = this.#context;
    const { bytes, tsid, atMs, durationMs } = entry;
    room.took(bytes);
    words.recorded(tsid, session.uuid, session.totals.durationMs - durationMs);
    session.data.unsynced.push(entry);
    session.data.ownQuality = segment.ownQuality;
    change(session, { ...session.totals, updatedAtMs: atMs });
    this.lastSegments.came(sessionKey(segment));
    await this.#addLost(this.#lost.kept(numberedKey(segment), session.uuid, segment, this.#context.clock.elapsedMs()));
    if (session.totals.segments === 1) await this.#announceBegin(session);
  }

  async failed(segment: FinishedSegment, error: unknown): Promise<void> {
    await this.#notKept(segment);
    if (error instanceof Error) this.#counted.add(error);
  }

  async end(session: Session): Promise<void> {
    const { recordings, log } = this.#context;
    const { uuid, data } = session;
    await this.#sync(session).catch((error: unknown) => log.warn({ uuid, err: error }, 'recording not synced'));
    const nowMs = this.#context.clock.dateMs();
    const before = data.row;
    // From here it is no longer saved as running. If the store fails, it stays open until the next check.
    data.row = { ...before, state: 'finishing', endedAtMs: nowMs, updatedAtMs: nowMs };
    await recordings.put(data.row).catch((error: unknown) => {
      data.row = before;
      throw error;
    });
  }

  async discard(uuid: string): Promise<void> {
    await this.#context.files.remove(uuid);
    await this.#context.recordings.delete(uuid);
  }

  ended(session: Session, reason: EndReason): void {
    const { log, observer } = this.#context;
    const { last } = session;
    if (reason !== 'stopped' && last) this.#lost.forget(numberedKey({ ...session, format: last.format }));
    const { uuid, app, stream, segments, durationMs, lost } = session.data.row;
    if (segments === 0) return;
    log.info({ uuid, app, stream, segments, durationMs, lost, reason }, 'recording ended');
    observer.ended();
  }

  /** Lower qualities come as MPEG-TS only. */
  async #nextFormat({ quality }: Pick<FinishedSegment, 'quality'>): Promise<SegmentFormatName> {
    return quality ? 'mpegts' : (await this.#context.settings.read()).segmentFormat;
  }

  async #notKept(segment: FinishedSegment): Promise<void> {
    await this.#addLost(this.#lost.notKept(numberedKey(segment), segment, this.#context.clock.elapsedMs()));
  }

  /** Adds to a running or closed recording; never fails. */
  async #addLost(loss: Loss | undefined): Promise<void> {
    if (!loss || loss.count === 0) return;
    const { recordings, log } = this.#context;
    const session = this.sessions.find(loss.uuid);
    if (session) {
      change(session, { lost: session.data.row.lost + loss.count });
      return;
    }
    await recordings
      .addLost(loss.uuid, loss.count)
      .catch((error: unknown) => log.warn({ ...loss, err: error }, 'missing segments could not be counted'));
  }

  /** Reports before it stores: after a crash in between it reports twice rather than never. */
  async #announceBegin(session: Session): Promise<void> {
    const { vhost, app, stream, uuid, quality } = session;
    const { observer, recordings, log } = this.#context;
    observer.began({ vhost, app, stream, quality: quality || undefined, uuid });
    change(session, { beginTold: true });
    // Saved with the next change where the store does not take it now.
    await recordings
      .put(session.data.row)
      .catch((error: unknown) => log.warn({ uuid, err: error }, 'recording not saved'));
  }

  async #sync({ uuid, data }: Session): Promise<void> {
    const { files } = this.#context;
    const { unsynced } = data;
    if (unsynced.length === 0) return;
    data.unsynced = [];
    for (const init of new Set(unsynced.map((segment) => segment.init)))
      if (init !== '') await sync(files.init(uuid, init));
    for (const segment of unsynced) await sync(files.segment(uuid, segment));
    await sync(files.file(uuid, 'segments.log'));
    await sync(files.directory(uuid));
  }
}

/** Each format of a stream has numbers of its own. */
function numberedKey(segment: Pick<FinishedSegment, 'vhost' | 'app' | 'stream' | 'quality' | 'format'>): string {
  return `${segment.format} ${sessionKey(segment)}`;
}

function change({ data }: Session, facts: Partial<RecordingRow>): void {
  data.row = { ...data.row, ...facts };
  data.isSaved = false;
}
