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

/** Turns ended recordings into files, one at a time. Rows store the pending work and failures, so that work continues after a restart. */
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

  /** A recording has its first segment, of which a thumbnail can be made. */
  wantThumbnail(uuid: string): void {
    this.#thumbnails.add(uuid);
    this.wake();
  }

  isWorkingOn(uuid: string): boolean {
    return this.#current?.uuid === uuid;
  }

  /** Resolves when no work on this recording is running. */
  async letGo(uuid: string): Promise<void> {
    while (this.#current?.uuid === uuid) await this.#current.work.catch(() => undefined);
  }

  percent(uuid: string): number | null {
    return this.#percents.get(uuid) ?? null;
  }

  /** Retries on request after a failure. */
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
      // After a reported failure, the success is reported as well.
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

  /** Does the most urgent work; returns false if there is none. */
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
      // Offered before the row is done: after a crash in between it is offered again.
      await delivery.offer(made);
      const change = {
        ...({ state: 'done', copy, failure: '', error: '', tries: 0, nextTryAtMs: 0 } as const),
        diskBytes: await files.bytesOf(row.uuid),
        ...(isFilm(made) ? {} : { segmentsAre: 'leaving' as const }),
      };
      const done = await recordings.change(row.uuid, change);
      if (done) await this.#announceEnd(done);
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
    // Waits without limit while the disk is full, which is no fault of the recording.
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
    if (isFailed && failed) await this.#announceEnd(failed);
  }

  /** Reports before it stores: after a crash in between it reports twice rather than never. */
  async #announceEnd({ uuid, vhost, app, stream, quality, mp4Bytes, endTold }: RecordingRow): Promise<void> {
    const { events, files, recordings } = this.#context;
    if (endTold) return;
    const path = files.file(uuid, 'index.mp4');
    events.emit('record:ended', {
      vhost,
      app,
      stream,
      quality: quality || undefined,
      uuid,
      isDone: mp4Bytes > 0,
      path,
    });
    await recordings.change(uuid, { endTold: true });
  }
}
