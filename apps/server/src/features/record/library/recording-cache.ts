import type { Clock } from '../../../core/clock.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { type LoggedSegment, SegmentLog, segmentFileName } from '../../../segments/segment-log.ts';
import type { Mp4Recording } from './mp4-recording.ts';
import type { RecordingFiles } from './recording-files.ts';

interface Shelved {
  readonly film: Promise<Mp4Recording>;
  usedAtMs: number;
}

const mostFilms = 4;
const mostIndexBytes = 64 * 1024 ** 2;
const forgetMs = 60_000;
/** Limit of parallel reads, each of which holds a segment twice in memory. Others wait. */
const bounds = { atOnce: 2, waiting: 200, refusal: 'too many recordings are being watched, try again' };

/** Films that are being watched as HLS: their indexes are read once, and a segment that many want at a time is made once. */
export class RecordingCache {
  readonly #files: RecordingFiles;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #films = new Map<string, Shelved>();
  readonly #making = new Map<string, Promise<Buffer | undefined>>();
  readonly #segments = new Semaphore(bounds);

  constructor(files: RecordingFiles, clock: Pick<Clock, 'elapsedMs'>) {
    this.#files = files;
    this.#clock = clock;
  }

  film(uuid: string): Promise<Mp4Recording> {
    const known = this.#films.get(uuid);
    const film = known?.film ?? this.#open(uuid);
    // Last in the order of use.
    this.#films.delete(uuid);
    this.#films.set(uuid, { film, usedAtMs: this.#clock.elapsedMs() });
    film.catch(() => this.#films.delete(uuid));
    void this.tidy();
    return film;
  }

  /** In the format it was recorded in; undefined when the film has no such segment. */
  segment(uuid: string, segment: Pick<LoggedSegment, 'tsid' | 'format'>): Promise<Buffer | undefined> {
    const key = `${uuid}/${segmentFileName(segment)}`;
    const made = this.#making.get(key) ?? this.#segments.run(async () => (await this.film(uuid)).segment(segment));
    this.#making.set(key, made);
    const forget = () => void this.#making.delete(key);
    made.then(forget, forget);
    return made;
  }

  /** Evicts entries that were not requested recently, and the oldest ones while the cache is too large. */
  async tidy(): Promise<void> {
    const nowMs = this.#clock.elapsedMs();
    for (const [uuid, { usedAtMs }] of this.#films) if (nowMs - usedAtMs > forgetMs) this.#films.delete(uuid);
    let bytes = 0;
    for (const [uuid, { film }] of [...this.#films].reverse()) {
      bytes += (await film.catch(() => undefined))?.indexBytes ?? 0;
      if (bytes > mostIndexBytes && uuid !== [...this.#films.keys()].at(-1)) this.#films.delete(uuid);
    }
    for (const uuid of [...this.#films.keys()].slice(0, -mostFilms)) this.#films.delete(uuid);
  }

  async #open(uuid: string): Promise<Mp4Recording> {
    // Loaded by the first who watches one: an idle server does without.
    const { Mp4Recording } = await import('./mp4-recording.ts');
    const logged = await new SegmentLog(this.#files.file(uuid, 'segments.log')).read();
    return Mp4Recording.open(this.#files.file(uuid, 'index.mp4'), logged);
  }
}
