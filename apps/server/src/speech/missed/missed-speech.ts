import type { WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { AudioBlock } from '../audio-blocks.ts';
import type { Heard } from '../cue.ts';
import type { StreamSpeech } from '../stream-speech.ts';
import type { HeardSpans } from './heard-spans.ts';

/** A finished segment of a stream, on its clock. */
export interface SoundSegment extends WirePlace {
  readonly id: string;
  /** Id of the publisher. */
  readonly epoch: string;
  readonly startMs: number;
  readonly endMs: number;
}

interface Context<Segment> {
  /** Speech recognition fed only from here. */
  readonly listen: (onHeard: (heard: Heard) => void) => StreamSpeech;
  readonly heard: HeardSpans;
  readonly clock: Clock;
  /** The sound of a segment, on the clock of its stream. */
  readonly read: (segment: Segment, signal: AbortSignal) => Promise<AudioBlock[]>;
  /** `place`: unknown where something else is read by now. */
  readonly onHeard: (heard: Heard, place: WirePlace | undefined) => void;
}

interface Piece<Segment> {
  readonly segment: Segment;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Contiguous audio that was read. */
interface Run extends WirePlace {
  readonly epoch: string;
  readonly fromMs: number;
  toMs: number;
  readAtMs: number;
  isOver: boolean;
}

/** Segments deliver their audio at once; the provider gets it at the speed of live speech. */
const mostPending = 3;
/** Pieces of one run follow each other by less. */
const stepMs = 300;
/** After this long without a continuation the last speaker counts as finished. */
const quietMs = 5000;
/** Length of following audio that must be transcribed elsewhere to know that the run is over. */
const nextMs = 100;

/**
 * Speech that was not transcribed live: before the listener joined, or while this process or its reader was down. It is
 * read from the segments, which survive on the disk.
 */
export class MissedSpeech<Segment extends SoundSegment> {
  readonly #context: Context<Segment>;
  readonly #speech: StreamSpeech;
  readonly #abort = new AbortController();
  #waiting: Piece<Segment>[] = [];
  #reading: Piece<Segment> | undefined;
  #blocks: AudioBlock[] = [];
  #push: (block: AudioBlock) => void = () => undefined;
  #run: Run | undefined;

  constructor(context: Context<Segment>) {
    this.#context = context;
    this.#speech = context.listen((heard) =>
      context.onHeard(heard, this.#run?.epoch === heard.epoch ? this.#run : undefined),
    );
  }

  get facts(): StreamSpeech['facts'] {
    return this.#speech.facts;
  }

  /** Sets the segments in their order, and the position of the stream's live recognition if it is running. Called again as time passes. */
  look(segments: readonly Segment[], live: { readonly epoch: string; readonly untilMs: number } | undefined): void {
    for (const segment of segments) {
      const { epoch, startMs } = segment;
      // Audio still on its way to the listener is not missed.
      const toMs = Math.min(segment.endMs, live?.epoch === epoch ? live.untilMs : segment.endMs);
      for (const span of this.#context.heard.missing(epoch, { fromMs: startMs, toMs })) {
        this.#context.heard.add(epoch, span);
        this.#waiting.push({ segment, ...span });
      }
    }
    this.#goOn();
  }

  /** True if nothing missed in the segment is left to transcribe. */
  isDone({ id, epoch, startMs, endMs }: SoundSegment): boolean {
    const open = this.#reading ? [this.#reading, ...this.#waiting] : this.#waiting;
    if (open.some(({ segment }) => segment.id === id)) return false;
    const run = this.#run;
    if (run?.epoch !== epoch || startMs >= run.toMs || endMs <= run.fromMs) return true;
    return (this.#speech.knownUntilMs ?? Number.POSITIVE_INFINITY) >= Math.min(endMs, run.toMs);
  }

  close(): void {
    this.#abort.abort();
    this.#waiting = [];
    this.#blocks = [];
    this.#speech.close();
  }

  #goOn(): void {
    while (this.#speech.pending < mostPending) {
      const block = this.#blocks.shift();
      if (!block) break;
      this.#push(block);
    }
    if (this.#reading || this.#blocks.length > 0) return;
    const next = this.#waiting.shift();
    if (next) void this.#read(next);
    else this.#maybeEnd();
  }

  async #read(piece: Piece<Segment>): Promise<void> {
    this.#reading = piece;
    const { signal } = this.#abort;
    const { fromMs, toMs, segment } = piece;
    // An unreadable segment has no text; the segment itself continues.
    const blocks = await this.#context.read(segment, signal).catch(() => []);
    this.#reading = undefined;
    if (signal.aborted) return;
    this.#blocks = blocks.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    this.#follow(piece);
    this.#goOn();
  }

  /** True if the piece continues the one before it. */
  #follow({ segment, fromMs, toMs }: Piece<Segment>): void {
    const { epoch, vhost, app, stream } = segment;
    const run = this.#run;
    const readAtMs = this.#context.clock.elapsedMs();
    if (run && !run.isOver && run.epoch === epoch && Math.abs(fromMs - run.toMs) <= stepMs) {
      Object.assign(run, { toMs, readAtMs });
      return;
    }
    this.#speech.begin(epoch);
    this.#push = this.#speech.signal();
    this.#run = { vhost, app, stream, epoch, fromMs, toMs, readAtMs, isOver: false };
  }

  /** Ends the run if the following audio is transcribed elsewhere or missing. */
  #maybeEnd(): void {
    const run = this.#run;
    if (!run || run.isOver) return;
    const { epoch, toMs, readAtMs } = run;
    const isFollowed = this.#context.heard.has(epoch, { fromMs: toMs, toMs: toMs + nextMs });
    if (!isFollowed && this.#context.clock.elapsedMs() - readAtMs < quietMs) return;
    run.isOver = true;
    this.#speech.signal();
  }
}
