import { limits, recordLimits, type TimelineEventKind, timelineLimits } from '@weir/contract';
import { type Log, LogRateLimiter, type SecretRedactor } from '@weir/plane';
import { placeText, type WirePlace } from '@weir/streams';
import type { Clock } from '../core/clock.ts';
import type { IndexPlace } from '../core/store/index-place.ts';
import { Redaction } from './redaction.ts';
import { TimelineFile, type TimelineLimits } from './timeline-file.ts';

interface EarlyNote {
  readonly what: TimelineEventKind;
  readonly facts?: Readonly<Record<string, string>>;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly atMs: number;
}

/** Limit, because anyone can add entries. */
const mostPlaces = 64;
const mostNotes = 10;

/** Events of publishers before they were admitted: few, for a short time and in memory only. */
class PendingNotes {
  readonly #notes = new Map<string, EarlyNote[]>();

  add(place: WirePlace, note: EarlyNote): void {
    const key = placeText(place);
    const known = this.#notes.get(key) ?? [];
    this.#notes.delete(key);
    this.#notes.set(key, [...known, note].slice(-mostNotes));
    for (const oldest of this.#notes.keys()) {
      if (this.#notes.size <= mostPlaces) break;
      this.#notes.delete(oldest);
    }
  }

  take(place: WirePlace, nowMs: number): EarlyNote[] {
    const key = placeText(place);
    const notes = this.#notes.get(key) ?? [];
    this.#notes.delete(key);
    return notes.filter(({ atMs }) => nowMs - atMs < limits.publishAttemptsMs);
  }
}

/** Event of a broadcast. `facts` distinguish it from others of its kind, `numbers` do not. */
export interface TimelineEvent {
  readonly what: TimelineEventKind;
  readonly facts?: Readonly<Record<string, string>>;
  readonly numbers?: Readonly<Record<string, number>>;
}

/** A broadcast that is not over. */
export interface Running extends WirePlace {
  readonly id: number;
  readonly client: string;
  /** When a process before this one saw it last; until its publisher is found again. */
  readonly lastSeenMs: number | undefined;
}

interface Context {
  readonly place: IndexPlace;
  readonly hidden: Pick<SecretRedactor, 'hide'>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
  readonly limits?: TimelineLimits;
  readonly onWritten?: () => void;
}

/** Events this late still belong to the broadcast that ended. */
const lateMs = 15 * 60_000;

/**
 * Events of broadcasts, stored with them. Callers add one with `note`. Nothing waits for it or fails because of it:
 * without disk space streams continue and the list has a gap.
 */
export class Timeline {
  readonly redaction: Redaction;
  readonly #context: Context;
  readonly #file: TimelineFile;
  readonly #early = new PendingNotes();
  readonly #complaints = new LogRateLimiter({ each: 1, all: 4, windowMs: 3_600_000 });
  #running: Map<string, Running> | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.redaction = new Redaction(context.hidden);
    this.#file = new TimelineFile(context.place, context.limits ?? timelineLimits, context.log);
  }

  /** A publisher came: the broadcast goes on, or one begins. */
  begin(place: WirePlace, client: string, happening: TimelineEvent): void {
    const nowMs = this.#context.clock.dateMs();
    this.#try(() => {
      const running = this.#map().get(placeText(place));
      const id = running?.id ?? this.#resumable(place, nowMs) ?? this.#file.begin(place, client, nowMs);
      const isSame = running?.client === client;
      if (running?.lastSeenMs !== undefined) {
        const seconds = Math.round((nowMs - running.lastSeenMs) / 100) / 10;
        this.#write([id], { what: 'recorder-back', numbers: { seconds } }, nowMs);
      }
      if (!isSame) {
        this.#file.resume(id, client);
        for (const { atMs, ...early } of this.#early.take(place, nowMs)) this.#write([id], early, atMs);
        this.#write([id], happening, nowMs);
        this.#file.tidy();
      }
      const { vhost, app, stream } = place;
      this.#map().set(placeText(place), { id, client, vhost, app, stream, lastSeenMs: undefined });
    });
  }

  /** A publisher left, unless another one is there already. `atMs`: when it was last seen, if that was earlier. */
  end(place: WirePlace, client: string, happening: TimelineEvent, atMs = this.#context.clock.dateMs()): void {
    this.#try(() => {
      const running = this.#map().get(placeText(place));
      if (!running || running.client !== client) return;
      this.#map().delete(placeText(place));
      this.#file.end(running.id, atMs);
      this.#write([running.id], happening, atMs);
    });
  }

  /** Adds an event to a stream that is live or ended recently. */
  note(place: WirePlace, happening: TimelineEvent): void {
    const nowMs = this.#context.clock.dateMs();
    this.#try(() => {
      const id = this.#map().get(placeText(place))?.id ?? this.#recent(place, nowMs);
      if (id !== undefined) this.#write([id], happening, nowMs);
    });
  }

  /** The same, unless the last one of its kind said so already. */
  noteChange(place: WirePlace, happening: TimelineEvent): void {
    this.#try(() => {
      const running = this.#map().get(placeText(place));
      const last = running && this.#file.lastFacts(running.id, happening.what);
      if (running && last !== this.#written(happening))
        this.#write([running.id], happening, this.#context.clock.dateMs());
    });
  }

  /** Belongs to the broadcast that may be about to begin, unless it runs. */
  noteEarly(place: WirePlace, happening: TimelineEvent): void {
    if (this.running().some((each) => placeText(each) === placeText(place))) this.note(place, happening);
    else this.#early.add(place, { ...happening, atMs: this.#context.clock.dateMs() });
  }

  /** Adds an event to the stream that this client publishes. */
  noteClient(client: string, happening: TimelineEvent): void {
    const running = this.running().find((each) => each.client === client);
    if (running) this.note(running, happening);
  }

  /** Concerns every broadcast that runs. */
  noteAll(happening: TimelineEvent): void {
    const ids = this.running().map(({ id }) => id);
    if (ids.length > 0) this.#try(() => this.#write(ids, happening, this.#context.clock.dateMs()));
  }

  addRecording(place: WirePlace, uuid: string): void {
    this.#try(() => {
      const id = this.#map().get(placeText(place))?.id ?? this.#recent(place, this.#context.clock.dateMs());
      if (id !== undefined) this.#file.addRecording(id, uuid);
    });
  }

  running(): readonly Running[] {
    return this.#try(() => [...this.#map().values()]) ?? [];
  }

  /** Read for display only; failures change nothing. */
  change(work: (file: TimelineFile) => void): void {
    if (this.running().length > 0) this.#try(() => work(this.#file));
  }

  /** For queries, whose errors reach the caller. */
  get file(): TimelineFile {
    return this.#file;
  }

  close(): void {
    this.#file.close();
  }

  /** Broadcasts of the previous process are read once. */
  #map(): Map<string, Running> {
    this.#running ??= new Map(
      this.#file
        .running()
        .map(({ id, vhost, app, stream, client, seen_ms }) => [
          placeText({ vhost, app, stream }),
          { id, vhost, app, stream, client, lastSeenMs: seen_ms },
        ]),
    );
    return this.#running;
  }

  #resumable(place: WirePlace, nowMs: number): number | undefined {
    const last = this.#file.newestOf(place);
    const isRecent = last && last.ended_ms !== null && nowMs - last.ended_ms < recordLimits.silenceMs;
    return isRecent ? last.id : undefined;
  }

  #recent(place: WirePlace, nowMs: number): number | undefined {
    const last = this.#file.newestOf(place);
    return last && nowMs - (last.ended_ms ?? nowMs) < lateMs ? last.id : undefined;
  }

  #written({ facts = {} }: TimelineEvent): string {
    return JSON.stringify(this.redaction.value(facts, timelineLimits.textCharacters));
  }

  #write(ids: readonly number[], happening: TimelineEvent, atMs: number): void {
    const { what, numbers = {} } = happening;
    this.#file.add(ids, { atMs, what, facts: this.#written(happening), numbers: JSON.stringify(numbers) });
    this.#context.onWritten?.();
  }

  #try<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (error) {
      if (this.#complaints.pass('write') !== undefined)
        this.#context.log.error({ err: error }, 'the timeline of broadcasts could not be written');
      return undefined;
    }
  }
}
