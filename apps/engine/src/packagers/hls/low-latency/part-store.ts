import { preparedPiece } from '../prepared-pieces.ts';
import type { SegmentCache } from '../segment-cache.ts';
import { SegmentWindow } from '../segments/segment-window.ts';
import type { StreamPaths } from '../segments/stream-paths.ts';
import type { TargetDuration } from '../segments/target-duration.ts';
import type { PieceTimes } from '../vtt-piece.ts';
import { firstWithParts, type LlPlaylist, type LlSegment, llPlaylist, type Part } from './ll-playlist.ts';

export interface PartStoreOptions {
  readonly paths: StreamPaths;
  readonly hot: SegmentCache;
  /** Called when something new can be requested. */
  readonly onChange: () => void;
  readonly partTargetMs: number;
  /** Chosen before the first segment is whole. */
  readonly target: TargetDuration;
  /** Jitter of part completion. */
  readonly jitterMs: () => number;
}

/** Long enough for delta updates of ordinary segments, which may skip what is older than six target durations. */
const leastWindowMs = 20_000;
/** Three are what players may count on (RFC 8216, 6.2.2), and one is for those who read the playlist a while ago. */
const targetsInWindow = 4;
/** In memory. The window at 25 Mbit/s. */
const maxWindowBytes = 64 * 1024 * 1024;
const contentType = 'video/mp4';
/** Time for a player to request, receive and decode a part. */
const handlingMs = 100;
const holdBackStepMs = 100;
/** Upper limit. On worse lines players adapt by themselves. */
const mostJitterMs = 1000;

interface SegmentFacts {
  readonly sequence: number;
  readonly startMs: number;
  readonly dateMs: number;
  readonly isDiscontinuity: boolean;
  readonly isIndependent: boolean;
}

interface PartFacts {
  readonly durationMs: number;
  readonly isIndependent: boolean;
}

interface Growing {
  readonly segment: LlSegment & {
    readonly parts: Part[];
    durationMs: number;
    size: number;
    isGap?: boolean;
    isIndependent: boolean;
  };
  readonly chunks: Buffer[];
}

/** Parts, segments and initialisation segments of one stream, and the playlist that names them. */
export class PartStore {
  readonly #options: PartStoreOptions;
  readonly #window = new SegmentWindow<LlSegment>();
  #growing: Growing | undefined;
  /**
   * The newest whole segment, while playlists list its parts alone. hls.js takes a segment for loaded when a playlist says that it is whole while
   * one of its parts is being loaded, and asks for no more of it: so players are told with the first part of the next segment.
   */
  #untold: LlSegment | undefined;
  #nextSequence = 0;
  #mapUri = '';
  #inits: string[] = [];
  #full: Buffer | undefined;
  #delta: Buffer | undefined;
  #openBytes = 0;
  #partTargetMs: number;
  #partHoldBackMs = 0;
  #partsFromSequence = 0;

  constructor(options: PartStoreOptions) {
    this.#options = options;
    this.#partTargetMs = options.partTargetMs;
  }

  get openBytes(): number {
    return this.#openBytes;
  }

  /** Players such as hls.js make nothing of a playlist that has parts and no whole segment yet. */
  get isPlayable(): boolean {
    return this.#window.segments.length > 0;
  }

  get targetDurationMs(): number {
    return 1000 * (this.#options.target.seconds ?? 1);
  }

  /** End of the newest part on the stream's clock. */
  get endMs(): number {
    const newest = this.#growing?.segment ?? this.#window.segments.at(-1);
    return newest ? newest.startMs + newest.durationMs : 0;
  }

  /** Newest segment of the playlist, and newest part of it. */
  get newest(): { readonly sequence: number; readonly part: number } {
    const segment = this.#growing?.segment;
    if (segment && segment.parts.length > 0) return { sequence: segment.sequence, part: segment.parts.length - 1 };
    const whole = this.#window.segments.at(-1);
    return { sequence: whole?.sequence ?? 0, part: Math.max(0, (whole?.parts.length ?? 0) - 1) };
  }

  /** The same buffer until something is added. */
  playlist(isDelta: boolean): Buffer {
    if (isDelta) {
      this.#delta ??= Buffer.from(llPlaylist(this.#view(), true));
      return this.#delta;
    }
    this.#full ??= Buffer.from(llPlaylist(this.#view(), false));
    return this.#full;
  }

  /** True if the playlist contains the whole segment, or with `part` that part of it. */
  has(sequence: number, part: number | undefined): boolean {
    const open = this.#untold ?? this.#growing?.segment;
    if (sequence < (open?.sequence ?? this.#nextSequence)) return true;
    return part !== undefined && sequence === open?.sequence && part < open.parts.length;
  }

  /** Beyond what a player can have learnt from any playlist (rfc8216bis, 6.2.5.2). */
  isTooFar(sequence: number, part: number | undefined): boolean {
    const open = this.#growing?.segment;
    const newest = open?.sequence ?? this.#window.segments.at(-1)?.sequence ?? 0;
    const partLimit = (open?.parts.length ?? 0) + Math.ceil(3000 / this.#options.partTargetMs);
    return sequence > newest + 2 || (sequence === open?.sequence && part !== undefined && part > partLimit);
  }

  /** True if playlists announce this part. */
  isHinted(sequence: number, part: number): boolean {
    const open = this.#growing?.segment;
    return sequence === this.#nextSequence
      ? part === 0 && !open
      : sequence === open?.sequence && part === open.parts.length;
  }

  /** Before the first segment, where others of the stream had so many discontinuities before it. */
  beginAfter(discontinuities: number): void {
    this.#window.beginAfter(discontinuities);
  }

  /** Begins a segment; `init` if the decoder setup changes. */
  open(facts: SegmentFacts, init: Buffer | undefined): void {
    const { paths, hot } = this.#options;
    if (init) {
      const rest = `.ll-init-${facts.sequence}.mp4`;
      this.#mapUri = paths.name + rest;
      hot.put(paths.url(rest), preparedPiece(init, contentType));
      this.#inits.push(this.#mapUri);
    }
    const { sequence } = facts;
    const uri = `${paths.name}.ll-${sequence}.m4s`;
    const empty = { mapUri: this.#mapUri, parts: [], durationMs: 0, size: 0 };
    const segment = { ...facts, uri, ...empty };
    this.#growing = { segment, chunks: [] };
    this.#nextSequence = sequence + 1;
    this.#openBytes = 0;
  }

  /** The last part of a segment is announced when that is finished: the part that players may ask for ahead is the next segment's then. */
  addPart(bytes: Buffer, { durationMs, isIndependent }: PartFacts, isLast: boolean): void {
    const growing = this.#growing;
    if (!growing || bytes.length === 0) return;
    const { segment, chunks } = growing;
    const { paths, hot } = this.#options;
    const rest = partRest(segment.sequence, segment.parts.length);
    hot.put(paths.url(rest), preparedPiece(bytes, contentType));
    chunks.push(bytes);
    segment.size += bytes.length;
    this.#openBytes += bytes.length;
    this.#list({ uri: paths.name + rest, durationMs, isIndependent }, isLast);
  }

  /** The open segment turned out to begin without a keyframe. */
  markDependent(): void {
    if (this.#growing) this.#growing.segment.isIndependent = false;
  }

  /** A part without bytes. Its whole segment is a gap, then. */
  addGap({ durationMs }: PartFacts, isLast: boolean): void {
    const segment = this.#growing?.segment;
    if (!segment) return;
    segment.isGap = true;
    const uri = this.#options.paths.name + partRest(segment.sequence, segment.parts.length);
    this.#list({ uri, durationMs, isIndependent: false, isGap: true }, isLast);
  }

  #list(part: Part, isLast: boolean): void {
    const segment = this.#growing?.segment;
    if (!segment) return;
    segment.parts.push(part);
    segment.durationMs += part.durationMs;
    // Pictures can be rarer than parts should be; what players are promised must hold all the same.
    this.#partTargetMs = Math.max(this.#partTargetMs, Math.round(part.durationMs));
    this.#untold = undefined;
    if (!isLast) this.#changed();
  }

  /** The open segment is whole. One without parts never was. */
  finish(): void {
    const growing = this.#growing;
    this.#growing = undefined;
    this.#openBytes = 0;
    if (!growing || growing.segment.parts.length === 0) return;
    const { segment, chunks } = growing;
    const { paths, hot } = this.#options;
    if (!segment.isGap) {
      const whole = Buffer.concat(chunks);
      hot.put(paths.url(`.ll-${segment.sequence}.m4s`), preparedPiece(whole, contentType));
      this.#shareMemory(segment.sequence, chunks, whole);
    }
    // Without any whole segment players cannot begin.
    this.#untold = this.isPlayable ? segment : undefined;
    const windowMs = Math.max(leastWindowMs, targetsInWindow * this.targetDurationMs);
    for (const old of this.#window.add(segment, { windowMs, maxBytes: maxWindowBytes })) this.#forget(old);
    this.#forgetOldParts();
    this.#changed();
  }

  /** No further segment follows soon: players are told that the newest is whole. */
  tell(): void {
    if (!this.#untold) return;
    this.#untold = undefined;
    this.#changed();
  }

  /** Removes parts that have been in no playlist for a moment. */
  #forgetOldParts(): void {
    const { segments } = this.#window;
    const first = firstWithParts(segments, undefined, targetsInWindow * this.targetDurationMs);
    const oldest = segments.findIndex(({ sequence }) => sequence >= this.#partsFromSequence);
    for (const segment of segments.slice(Math.max(0, oldest), first)) this.#forgetParts(segment);
    this.#partsFromSequence = segments[first]?.sequence ?? 0;
  }

  /** Parts are views of their segment once that is whole: the same bytes need not lie in memory twice. */
  #shareMemory(sequence: number, chunks: readonly Buffer[], whole: Buffer): void {
    const { paths, hot } = this.#options;
    let at = 0;
    for (const [part, { length }] of chunks.entries()) {
      hot.put(paths.url(partRest(sequence, part)), preparedPiece(whole.subarray(at, at + length), contentType));
      at += length;
    }
  }

  clear(): void {
    this.finish();
    this.#untold = undefined;
    for (const segment of this.#window.clear()) this.#forget(segment);
    for (const uri of this.#inits) this.#deletePiece(uri);
    this.#inits = [];
    this.#changed();
  }

  /** The playlist of a rendition that goes with this one: the same pieces under other addresses, which need no initialisation. */
  companion(uriOf: (sequence: number, part: number | undefined) => string, isDelta: boolean): string {
    const renamed = (segment: LlSegment): LlSegment => ({
      ...segment,
      uri: uriOf(segment.sequence, undefined),
      mapUri: '',
      isIndependent: true,
      parts: segment.parts.map((part, index) => ({
        ...part,
        uri: uriOf(segment.sequence, index),
        isIndependent: true,
      })),
    });
    const view = this.#view();
    const hint = this.#hint();
    const playlist = {
      ...view,
      segments: view.segments.map(renamed),
      open: view.open && renamed(view.open),
      hintUri: hint ? uriOf(hint.sequence, hint.part) : '',
    };
    return llPlaylist(playlist, isDelta);
  }

  /** When a piece is, on the stream's clock; undefined when it is no more, or not yet. */
  timesOf(sequence: number, part: number | undefined): PieceTimes | undefined {
    const open = this.#growing?.segment;
    const segment =
      open?.sequence === sequence ? open : this.#window.segments.find((each) => each.sequence === sequence);
    if (!segment || (part === undefined && segment === open)) return undefined;
    if (part === undefined) return { startMs: segment.startMs, endMs: segment.startMs + segment.durationMs };
    let startMs = segment.startMs;
    for (const before of segment.parts.slice(0, part)) startMs += before.durationMs;
    const asked = segment.parts[part];
    return asked && { startMs, endMs: startMs + asked.durationMs };
  }

  /** The part that players may ask for before it is there. */
  #hint(): { readonly sequence: number; readonly part: number } | undefined {
    const open = this.#growing?.segment;
    if (open) return { sequence: open.sequence, part: open.parts.length };
    return this.#nextSequence > 0 ? { sequence: this.#nextSequence, part: 0 } : undefined;
  }

  #view(): LlPlaylist {
    const open = this.#untold ?? this.#growing?.segment;
    const hint = this.#hint();
    const { segments, discontinuitySequence } = this.#window;
    return {
      segments: this.#untold ? segments.slice(0, -1) : segments,
      discontinuitySequence,
      open: open && open.parts.length > 0 ? open : undefined,
      hintUri: hint ? this.#options.paths.name + partRest(hint.sequence, hint.part) : '',
      targetSeconds: this.#options.target.seconds ?? 1,
      partTargetMs: this.#partTargetMs,
      partHoldBackMs: this.#holdBack(),
    };
  }

  /**
   * One part that is played while the next is made, how late that may be, and what the player does with it. At least three parts, as
   * rfc8216bis, 4.4.3.8 recommends (two are a must). It only grows, in large steps: players move with it.
   */
  #holdBack(): number {
    const lateMs = Math.min(this.#options.jitterMs(), mostJitterMs) + handlingMs;
    const neededMs = Math.max(3 * this.#partTargetMs, 2 * this.#partTargetMs + lateMs);
    if (neededMs > this.#partHoldBackMs) this.#partHoldBackMs = Math.ceil(neededMs / holdBackStepMs) * holdBackStepMs;
    return this.#partHoldBackMs;
  }

  #changed(): void {
    this.#full = undefined;
    this.#delta = undefined;
    this.#options.onChange();
  }

  #forget(segment: LlSegment): void {
    this.#deletePiece(segment.uri);
    this.#forgetParts(segment);
    const kept = new Set(this.#window.segments.map(({ mapUri }) => mapUri)).add(this.#mapUri);
    for (const uri of this.#inits) if (!kept.has(uri)) this.#deletePiece(uri);
    this.#inits = this.#inits.filter((uri) => kept.has(uri));
  }

  #forgetParts({ parts }: LlSegment): void {
    for (const { uri } of parts) this.#deletePiece(uri);
  }

  #deletePiece(uri: string): void {
    const { paths, hot } = this.#options;
    hot.delete(paths.url(uri.slice(paths.name.length)));
  }
}

const partRest = (sequence: number, part: number): string => `.ll-${sequence}-${part}.m4s`;
