import { recordLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import { WeirError } from '../../../core/errors.ts';
import type { Events } from '../../../core/events.ts';
import { JobError, toJobError } from '../../../process-reports/job-error.ts';
import { SegmentLog, sumSegments } from '../../../segments/segment-log.ts';
import type { TranscriptIndex } from '../../../transcript-index/transcript-index.ts';
import type { RecordingArchive } from '../bucket/recording-archive.ts';
import { publishFile, type RecordingFiles } from '../library/recording-files.ts';
import { isFilm, type RecordingRepository, type RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';
import type { SegmentRemoval } from './segment-removal.ts';

interface Context {
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  /** The real directory a typed one means; throws when it may not be used. */
  readonly copyDirectory: (typed: string) => Promise<string>;
  readonly room: { makeRoomFor(bytes: number, uuid: string): Promise<boolean> };
  readonly archive: Pick<RecordingArchive, 'offer'>;
  readonly removal: Pick<SegmentRemoval, 'isDue' | 'work'>;
  readonly events: Pick<Events, 'emit'>;
  readonly words: Pick<TranscriptIndex, 'arrange' | 'languageOf' | 'spokenIn'>;
  /** Called for a recording in progress. */
  readonly onPicture: (uuid: string) => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
}

const firstPauseMs = 10_000;
const longestPauseMs = 10 * 60_000;
const longestWaitMs = 60_000;

/**
 * Turns recordings that are over into files, one at a time. What is to be done stands in their rows, so that a restart
 * goes on with it; what went wrong does too.
 */
export class Finisher {
  readonly #context: Context;
  readonly #percents = new Map<string, number>();
  readonly #thumbnails = new Set<string>();
  #current: { readonly uuid: string; readonly work: Promise<void> } | undefined;
  #wake = Promise.withResolvers<void>();

  constructor(context: Context) {
    this.#context = context;
  }

  wake(): void {
    this.#wake.resolve();
  }

  /** A recording has its first segment: a picture of it can be made. */
  wantThumbnail(uuid: string): void {
    this.#thumbnails.add(uuid);
    this.wake();
  }

  isWorkingOn(uuid: string): boolean {
    return this.#current?.uuid === uuid;
  }

  /** Resolves when nothing is done to this one now. */
  async letGo(uuid: string): Promise<void> {
    while (this.#current?.uuid === uuid) await this.#current.work.catch(() => undefined);
  }

  percent(uuid: string): number | null {
    return this.#percents.get(uuid) ?? null;
  }

  /** By hand, after a failure. */
  async retry(uuid: string): Promise<void> {
    const row = await this.#context.recordings.get(uuid);
    if (!row || (row.state !== 'failed' && row.nextTryAtMs === 0)) {
      throw new WeirError('not_found', 'there is no failed recording with this id');
    }
    const hasFile = row.mp4Bytes > 0;
    await this.#context.recordings.change(uuid, {
      state: hasFile ? 'copying' : 'finishing',
      tries: 0,
      nextTryAtMs: 0,
      failure: '',
      error: '',
      // A reported failure is followed by a report of the success.
      endTold: row.endTold && hasFile,
    });
    this.wake();
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      const worked = await this.#workOnce(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#context.log.error({ err: error }, 'recordings could not be finished');
        return false;
      });
      if (!worked && !signal.aborted) await this.#pause();
    }
  }

  /** Does what is most urgent; false when there is nothing to do now. */
  async #workOnce(signal: AbortSignal): Promise<boolean> {
    for (const uuid of this.#thumbnails) {
      this.#thumbnails.delete(uuid);
      await this.#picture(uuid, signal);
      return true;
    }
    const nowMs = this.#context.clock.dateMs();
    const rows = await this.#context.recordings.list();
    const due = rows
      .filter(({ state, nextTryAtMs }) => (state === 'finishing' || state === 'copying') && nextTryAtMs <= nowMs)
      .sort((a, b) => a.endedAtMs - b.endedAtMs);
    const { removal } = this.#context;
    const [row = rows.find((each) => removal.isDue(each))] = due;
    if (!row) return false;
    const work = row.state === 'done' ? removal.work(row) : this.#finish(row, signal);
    this.#current = { uuid: row.uuid, work };
    await work.finally(() => {
      this.#current = undefined;
    });
    return true;
  }

  async #pause(): Promise<void> {
    const times = (await this.#context.recordings.list().catch(() => []))
      .map(({ nextTryAtMs }) => nextTryAtMs - this.#context.clock.dateMs())
      .filter((ms) => ms > 0);
    const abort = new AbortController();
    const waitMs = Math.min(longestWaitMs, ...times);
    const wait = this.#context.clock.pause(waitMs, abort.signal).catch(() => undefined);
    await Promise.race([wait, this.#wake.promise]);
    abort.abort();
  }

  async #finish(row: RecordingRow, signal: AbortSignal): Promise<void> {
    const { recordings, files, log } = this.#context;
    try {
      const made = row.state === 'finishing' ? await this.#make(row, signal) : row;
      // Removed meanwhile.
      if (!made) return;
      const copy = await this.#copy(made, signal);
      // Before it is done: a process that is killed in between offers it again.
      await this.#offer(made);
      const change = {
        ...({ state: 'done', copy, failure: '', error: '', tries: 0, nextTryAtMs: 0 } as const),
        diskBytes: await files.bytesOf(row.uuid),
        ...(isFilm(made) ? {} : { segmentsAre: 'leaving' as const }),
      };
      const done = await recordings.change(row.uuid, change);
      if (done) await this.#tellEnd(done);
      log.info({ uuid: row.uuid, app: row.app, stream: row.stream, bytes: done?.mp4Bytes }, 'recording finished');
    } catch (error) {
      if (!signal.aborted) await this.#fail(row, toJobError(error));
    } finally {
      this.#percents.delete(row.uuid);
    }
  }

  async #make(row: RecordingRow, signal: AbortSignal): Promise<RecordingRow | undefined> {
    const { recordings, files, room, words, settings, log } = this.#context;
    const { uuid } = row;
    const { intactSegments, makeMp4 } = await makers();
    const segmentLog = new SegmentLog(files.file(uuid, 'segments.log'));
    const logged = await segmentLog.read();
    const segments = await intactSegments(files, uuid, logged);
    if (segments.length === 0) throw new JobError('no-segments', 'the segments cannot be read', { isFinal: true });
    const totals = sumSegments(segments);
    if (!(await room.makeRoomFor(totals.bytes, uuid))) {
      throw new JobError('no-space', `the MP4 file needs ${Math.ceil(totals.bytes / 1024 ** 2)} MB of free space`);
    }
    words.arrange(uuid, segments);
    const cues = (await settings.read()).subtitles ? words.spokenIn(uuid) : [];
    const onPercent = (percent: number) => void this.#percents.set(uuid, percent);
    const onLeftOut = (durationMs: number, error: JobError) =>
      log.warn(
        { uuid, durationMs, reason: error.message },
        'part of a recording could not be converted and was skipped',
      );
    const language = words.languageOf(uuid);
    const film = await makeMp4({ files, uuid, segments, cues, language, onPercent, onLeftOut, signal });
    // From now on the log says what the file holds.
    if (segments.length < logged.length) {
      const directory = files.directory(uuid);
      await segmentLog.rewrite(segments, (temporary, file) => publishFile(temporary, file, directory));
    }
    const hasThumbnail = row.hasThumbnail || (await this.#pictureOf(uuid, signal));
    await recordings.addLost(uuid, logged.length - segments.length);
    // The duration of the file, which players show; the sum of the segments differs where media is missing.
    const facts = { ...totals, durationMs: film.durationMs, mp4Bytes: film.bytes };
    return recordings.change(uuid, { ...facts, hasThumbnail, state: 'copying', tries: 0 });
  }

  /** The file of the copy; empty when none is wanted. */
  async #copy({ uuid, copy }: RecordingRow, signal: AbortSignal): Promise<string> {
    const { settings, copyDirectory, files } = this.#context;
    const { processCpDir } = await settings.read();
    if (processCpDir === '') return copy;
    const { copyWhole } = await import('./copy-file.ts');
    try {
      const directory = await copyDirectory(processCpDir);
      const onPercent = (percent: number) => void this.#percents.set(uuid, percent);
      const from = files.file(uuid, 'index.mp4');
      return await copyWhole({ from, directory, name: `${uuid}.mp4`, onPercent, signal });
    } catch (error) {
      const reason = error instanceof WeirError ? error.message : toJobError(error).message;
      throw new JobError('copy', `the file could not be copied: ${reason}`, { cause: error });
    }
  }

  async #offer({ uuid, app, stream, startedAtMs }: RecordingRow): Promise<void> {
    const { archive, files } = this.#context;
    await archive.offer({ uuid, app, stream, startedAtMs, file: files.file(uuid, 'index.mp4') });
  }

  async #fail(row: RecordingRow, error: JobError): Promise<void> {
    const { recordings, log } = this.#context;
    const current = await recordings.get(row.uuid);
    if (!current) return;
    // A full disk is no fault of the recording: it waits until there is room, however long.
    const tries = error.failure === 'no-space' ? current.tries : current.tries + 1;
    const isFailed = error.isFinal || tries >= recordLimits.tries;
    const pauseMs = error.failure === 'no-space' ? longestWaitMs : Math.min(longestPauseMs, firstPauseMs * 2 ** tries);
    log.warn({ uuid: row.uuid, tries, isFailed, reason: error.message, err: error.cause }, 'recording not finished');
    const failed = await recordings.change(row.uuid, {
      ...(isFailed ? { state: 'failed' as const } : {}),
      failure: error.failure,
      error: error.message,
      tries,
      nextTryAtMs: isFailed ? 0 : this.#context.clock.dateMs() + pauseMs,
    });
    if (isFailed && failed) await this.#tellEnd(failed);
  }

  /** Told, then noted: a crash between the two tells it twice rather than never. */
  async #tellEnd({ uuid, vhost, app, stream, mp4Bytes, endTold }: RecordingRow): Promise<void> {
    const { events, files, recordings } = this.#context;
    if (endTold) return;
    const path = files.file(uuid, 'index.mp4');
    events.emit('record:ended', { vhost, app, stream, uuid, isDone: mp4Bytes > 0, path });
    await recordings.change(uuid, { endTold: true });
  }

  async #picture(uuid: string, signal: AbortSignal): Promise<void> {
    try {
      if (await this.#pictureOf(uuid, signal)) await this.#context.onPicture(uuid);
    } catch (error) {
      if (!signal.aborted) this.#context.log.warn({ uuid, err: error }, 'thumbnail of a recording could not be made');
    }
  }

  async #pictureOf(uuid: string, signal: AbortSignal): Promise<boolean> {
    const { files } = this.#context;
    const [first] = await new SegmentLog(files.file(uuid, 'segments.log')).read();
    const { makeThumbnail } = await makers();
    return first ? makeThumbnail(files, { uuid, segment: first, signal }) : false;
  }
}

/** Loaded by the first recording: an idle server does without. */
function makers() {
  return import('./make-mp4.ts');
}
