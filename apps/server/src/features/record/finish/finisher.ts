import { recordLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import { WeirError } from '../../../core/errors.ts';
import type { Events } from '../../../core/events.ts';
import { type JobError, toJobError } from '../../../process-reports/job-error.ts';
import type { RecordingFiles } from '../library/recording-files.ts';
import { isFilm, type RecordingRepository, type RecordingRow } from '../library/recording-repository.ts';
import type { FilmDelivery } from './film-delivery.ts';
import type { FilmMaker } from './film-maker.ts';
import type { SegmentRemoval } from './segment-removal.ts';

interface Context {
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly films: FilmMaker;
  readonly delivery: FilmDelivery;
  readonly removal: Pick<SegmentRemoval, 'isDue' | 'work'>;
  readonly events: Pick<Events, 'emit'>;
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
      await this.#context.films.picture(uuid, signal);
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
    const { recordings, files, films, delivery, log } = this.#context;
    const onPercent = (percent: number) => void this.#percents.set(row.uuid, percent);
    try {
      const made = row.state === 'finishing' ? await films.make(row, { onPercent, signal }) : row;
      // Removed meanwhile.
      if (!made) return;
      const copy = await delivery.copy(made, { onPercent, signal });
      // Before it is done: a process that is killed in between offers it again.
      await delivery.offer(made);
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
}
