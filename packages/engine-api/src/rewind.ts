import { Glob, globPath, MalformedMessage, MessageFields, type WirePlace } from '@weir/streams';
import { isSegmentId } from './segment-entry.ts';

/** How far viewers may go back in the streams of a pattern. */
interface RewindRule {
  /** A path such as `/live/stage`, or a pattern. */
  readonly pattern: string;
  /** 0 for none: an exception from a wider pattern. */
  readonly windowSeconds: number;
}

export interface RewindSettings {
  readonly rules: readonly RewindRule[];
  /** Secret that signs pieces of protected streams, the same after a restart: players keep addresses for a whole window. */
  readonly key: string;
}

const mostRules = 200;
const longestPattern = 512;
const longestKey = 128;
/** A day. */
const longestRewindSeconds = 24 * 3600;

export function decodeRewindSettings(value: unknown): RewindSettings {
  const fields = new MessageFields(value);
  return { rules: fields.list('rules', mostRules, decodeRule), key: fields.text('key', { most: longestKey }) };
}

function decodeRule(value: unknown): RewindRule {
  const fields = new MessageFields(value);
  const windowSeconds = fields.whole('windowSeconds');
  if (windowSeconds < 0 || windowSeconds > longestRewindSeconds)
    throw new MalformedMessage('windowSeconds', 'must be a day at most');
  return { pattern: fields.text('pattern', { least: 1, most: longestPattern }), windowSeconds };
}

type RewindPlace = Pick<WirePlace, 'app' | 'stream'>;

const mostKnown = 10_000;

/** Windows by stream: the rule that names it exactly, or else the first pattern that matches. */
export class RewindRules {
  readonly #exact = new Map<string, number>();
  readonly #patterns: readonly { readonly glob: Glob; readonly windowMs: number }[];
  readonly #known = new Map<string, number>();

  constructor(rules: readonly RewindRule[]) {
    for (const { pattern, windowSeconds } of rules) {
      if (!this.#exact.has(pattern)) this.#exact.set(pattern, windowSeconds * 1000);
    }
    this.#patterns = rules.flatMap(({ pattern, windowSeconds }) => {
      const glob = Glob.parse(pattern);
      return typeof glob === 'string' ? [] : [{ glob, windowMs: windowSeconds * 1000 }];
    });
  }

  /** True while some stream may have a window. */
  get isOn(): boolean {
    return this.#patterns.some(({ windowMs }) => windowMs > 0);
  }

  /** 0 for a stream without a window. */
  windowMs(place: RewindPlace): number {
    if (!this.isOn) return 0;
    const path = globPath(place);
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const ms = this.#exact.get(path) ?? this.#patterns.find(({ glob }) => glob.matches(path))?.windowMs ?? 0;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(path, ms);
    return ms;
  }
}

/** Folder of all windows, in the directory of files. */
export const rewindFolder = 'rewind';
/** Log of a chunk, beside its segments. */
export const rewindLogName = 'log';
const folderForm = /^[0-9a-f]{32}$/;
const chunkForm = /^\d{12}$/;

export function isRewindStreamFolder(name: string): boolean {
  return folderForm.test(name);
}

/** Folder of a chunk, which is named by the number of its first piece so that names sort by time. */
export function rewindChunkFolder(first: number): string {
  return String(first).padStart(12, '0');
}

/** The number of the first piece; undefined for any other folder. */
export function parseRewindChunkFolder(name: string): number | undefined {
  return chunkForm.test(name) ? Number(name) : undefined;
}

export function rewindSegmentFile(id: string): string {
  return `${id}.ts`;
}

/** What is true of a whole chunk, in the first line of its log. */
export interface RewindHead extends WirePlace {
  /** Discontinuities of the window before this chunk. */
  readonly discontinuities: number;
  /** Segments are joined to pieces of this length, so that a playlist of many hours stays short. */
  readonly pieceMs: number;
  /** No piece is expected to be longer. */
  readonly targetSeconds: number;
}

export interface RewindSegment {
  readonly id: string;
  /** Number of the segment in the stream's HLS. */
  readonly sequence: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Date of its first frame. */
  readonly dateMs: number;
  /** Does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
  readonly isIndependent: boolean;
}

export function formatRewindHead(head: RewindHead): string {
  return `# ${JSON.stringify(head)}\n`;
}

export function formatRewindSegment(segment: RewindSegment): string {
  const { id, sequence, durationMs, bytes, dateMs, isDiscontinuity, isIndependent } = segment;
  return `${id} ${sequence} ${durationMs} ${bytes} ${dateMs} ${isDiscontinuity ? 1 : 0} ${isIndependent ? 1 : 0}\n`;
}

const line = /^([0-9a-f-]{36}) (\d{1,16}) (\d{1,9}) (\d{1,12}) (\d{1,16}) ([01]) ([01])$/;

interface RewindLog {
  readonly head: RewindHead;
  readonly segments: readonly RewindSegment[];
  /** End of the last whole line: a crash may have torn what follows. */
  readonly goodBytes: number;
}

/** Undefined without a readable first line. */
export function parseRewindLog(text: string): RewindLog | undefined {
  const headEnd = text.indexOf('\n');
  const head = headEnd < 0 ? undefined : readHead(text.slice(0, headEnd));
  if (!head) return undefined;
  const segments: RewindSegment[] = [];
  let from = headEnd + 1;
  for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
    const [, id = '', sequence, durationMs, bytes, dateMs, broken, independent] =
      line.exec(text.slice(from, end)) ?? [];
    if (!isSegmentId(id)) break;
    segments.push({
      id,
      sequence: Number(sequence),
      durationMs: Number(durationMs),
      bytes: Number(bytes),
      dateMs: Number(dateMs),
      isDiscontinuity: broken === '1',
      isIndependent: independent === '1',
    });
    from = end + 1;
  }
  return { head, segments, goodBytes: Buffer.byteLength(text.slice(0, from)) };
}

function readHead(text: string): RewindHead | undefined {
  if (!text.startsWith('# ')) return undefined;
  try {
    const fields = new MessageFields(JSON.parse(text.slice(2)));
    return {
      vhost: fields.text('vhost', { least: 1 }),
      app: fields.text('app', { least: 1 }),
      stream: fields.text('stream', { least: 1 }),
      discontinuities: fields.whole('discontinuities'),
      pieceMs: fields.whole('pieceMs'),
      targetSeconds: fields.whole('targetSeconds'),
    };
  } catch {
    return undefined;
  }
}

/** Consecutive segments under one number in the playlist. */
export interface RewindPiece {
  readonly segments: readonly RewindSegment[];
  readonly durationMs: number;
}

/**
 * Pieces of a chunk in order. A piece is complete when it is long enough, or when something follows that does not continue it, or when the
 * chunk is (`isClosed`). One that is not complete is left out: what a playlist has named must not change.
 */
export function rewindPieces(
  { head, segments }: Pick<RewindLog, 'head' | 'segments'>,
  isClosed: boolean,
): RewindPiece[] {
  const pieces: RewindPiece[] = [];
  let open: RewindSegment[] = [];
  let durationMs = 0;
  const finish = () => {
    if (open.length > 0) pieces.push({ segments: open, durationMs });
    open = [];
    durationMs = 0;
  };
  for (const segment of segments) {
    if (segment.isDiscontinuity) finish();
    open.push(segment);
    durationMs += segment.durationMs;
    if (isPieceWhole(head, durationMs)) finish();
  }
  if (isClosed) finish();
  return pieces;
}

/** Three quarters: segments of ten seconds, which are rarely exact, are not joined in pairs. */
export function isPieceWhole({ pieceMs }: Pick<RewindHead, 'pieceMs'>, durationMs: number): boolean {
  return durationMs >= 0.75 * pieceMs;
}
