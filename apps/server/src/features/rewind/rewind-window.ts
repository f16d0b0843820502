import { appendFile, mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FinishedSegment,
  formatRewindHead,
  formatRewindSegment,
  isPieceWhole,
  parseRewindChunkFolder,
  parseRewindLog,
  type RewindHead,
  type RewindSegment,
  rewindChunkFolder,
  rewindLogName,
  rewindPieces,
  rewindSegmentFile,
} from '@weir/engine-api';
import type { WirePlace } from '@weir/streams';
import { linkFile } from '../../core/link-file.ts';
import { RecentIds } from '../../segments/recent-ids.ts';

/** Stretch of a window with a folder and a log of its own: what is too old leaves by whole chunks. */
interface Chunk {
  readonly first: number;
  readonly head: RewindHead;
  pieces: number;
  discontinuities: number;
  durationMs: number;
  bytes: number;
  startMs: number;
  endMs: number;
}

type LastSegment = Pick<FinishedSegment, 'sequence' | 'clientId' | 'durationMs'>;

const mostKnownIds = 200;
/** A window has about this many chunks, and none is longer than this. */
const chunksPerWindow = 12;
const longestChunkMs = 5 * 60_000;
/** More entries would make the first playlist of a day too long. */
const mostPieces = 8640;
/** The first segments are pieces of their own, so that players need not wait for longer ones. */
const firstPieces = 3;
const leastSilentMs = 5000;
const silentSegments = 2.5;
/** Numbers are never used twice for one stream: they begin at the seconds since this date. */
const numberingEpochMs = 1_700_000_000_000;

/**
 * Files of one stream's window: chunks with an append-only log and hard links to the segments. A segment that is linked here and in a recording
 * is on the disk once.
 */
export class RewindWindow {
  readonly directory: string;
  readonly place: WirePlace;
  readonly #chunks: Chunk[];
  readonly #ids = new RecentIds(mostKnownIds);
  /** Length of the piece that is not complete. */
  #openMs = 0;
  #last: LastSegment | undefined;
  /** Files whose bytes may not be on the disk yet. */
  #unsynced: string[] = [];

  private constructor(directory: string, place: WirePlace, chunks: Chunk[]) {
    this.directory = directory;
    this.place = place;
    this.#chunks = chunks;
  }

  static empty(directory: string, place: WirePlace): RewindWindow {
    return new RewindWindow(directory, place, []);
  }

  /** Reads a window of an earlier run, and removes what a crash left half done; undefined if there is none. */
  static async resume(directory: string): Promise<RewindWindow | undefined> {
    const names = (await readdir(directory).catch(() => [])).sort();
    const chunks: Chunk[] = [];
    let segments: readonly RewindSegment[] = [];
    for (const name of names) {
      const first = parseRewindChunkFolder(name);
      if (first === undefined) continue;
      const isNewest = name === names.at(-1);
      const log = await readLog(join(directory, name), isNewest);
      if (!log) {
        await rm(join(directory, name), { recursive: true, force: true });
        continue;
      }
      const chunk = newChunk(first, log.head);
      for (const segment of log.segments) count(chunk, segment);
      segments = log.segments;
      chunk.pieces = rewindPieces(log, true).length;
      chunks.push(chunk);
    }
    const newest = chunks.at(-1);
    if (!newest) return undefined;
    const window = new RewindWindow(directory, newest.head, chunks);
    window.#resumeOpenPiece(newest, segments);
    return window;
  }

  #resumeOpenPiece(newest: Chunk, segments: readonly RewindSegment[]): void {
    const log = { head: newest.head, segments };
    const closed = rewindPieces(log, false).length;
    if (closed < newest.pieces) this.#openMs = rewindPieces(log, true).at(-1)?.durationMs ?? 0;
    newest.pieces = closed;
    for (const { id } of segments.slice(-mostKnownIds)) this.#ids.add(id);
    const last = segments.at(-1);
    if (last) this.#last = { sequence: last.sequence, durationMs: last.durationMs, clientId: '' };
  }

  get bytes(): number {
    return this.#chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Dates of its beginning and end; 0 while it is empty. */
  get startMs(): number {
    return this.#chunks[0]?.startMs ?? 0;
  }

  get endMs(): number {
    return this.#chunks.findLast(({ endMs }) => endMs > 0)?.endMs ?? 0;
  }

  /** Pause after which no more segments are expected soon. */
  get silentMs(): number {
    return Math.max(leastSilentMs, silentSegments * (this.#last?.durationMs ?? 0));
  }

  /** Adds a segment to the end. Of no effect for one that it has. */
  async keep(segment: FinishedSegment, { windowMs, nowMs }: { windowMs: number; nowMs: number }): Promise<void> {
    if (this.#ids.has(segment.id)) return;
    const last = this.#last;
    const isDiscontinuity = last !== undefined && isSeam(last, segment);
    const isBetweenPieces = this.#openMs === 0 || isDiscontinuity;
    if (isDiscontinuity) this.#finishPiece();
    const chunk = await this.#chunkFor(segment, windowMs, nowMs, isBetweenPieces);
    const directory = this.#pathOf(chunk);
    const file = join(directory, rewindSegmentFile(segment.id));
    await linkFile(segment.file, file);
    const entry: RewindSegment = {
      id: segment.id,
      sequence: segment.sequence,
      durationMs: segment.durationMs,
      bytes: (await stat(file)).size,
      dateMs: segment.dateMs ?? nowMs - segment.durationMs,
      isDiscontinuity,
      isIndependent: segment.isIndependent ?? false,
    };
    await append(join(directory, rewindLogName), formatRewindSegment(entry)).catch(async (error: unknown) => {
      await rm(file, { force: true });
      throw error;
    });
    this.#ids.add(segment.id);
    this.#unsynced.push(file, join(directory, rewindLogName));
    this.#last = segment;
    count(chunk, entry);
    this.#openMs += entry.durationMs;
    if (isPieceWhole(chunk.head, this.#openMs)) this.#finishPiece();
  }

  /** Completes the piece that waits for more segments, because none are coming: players get what there is. */
  async finish(nowMs: number): Promise<void> {
    const chunk = this.#chunks.at(-1);
    if (!chunk || this.#openMs === 0) return;
    this.#finishPiece();
    await this.#begin(chunk.head, nowMs);
  }

  /** Removes chunks that ended before this date. True if nothing is left. */
  async prune(beforeMs: number): Promise<boolean> {
    if (this.endMs < beforeMs) {
      await this.remove();
      return true;
    }
    while (this.#chunks.length > 1 && (this.#chunks[0]?.endMs ?? 0) < beforeMs) await this.dropOldest();
    return false;
  }

  /** Removes the oldest chunk, but never the newest. Returns its size. */
  async dropOldest(): Promise<number> {
    const [oldest] = this.#chunks;
    if (!oldest || this.#chunks.length < 2) return 0;
    await rm(this.#pathOf(oldest), { recursive: true, force: true });
    this.#chunks.shift();
    return oldest.bytes;
  }

  async remove(): Promise<void> {
    this.#unsynced = [];
    this.#chunks.length = 0;
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Brings everything to the disk. */
  async sync(): Promise<void> {
    const files = [...new Set(this.#unsynced)];
    this.#unsynced = [];
    for (const file of files) {
      const handle = await open(file, 'r').catch(() => undefined);
      await handle?.sync().finally(() => handle.close());
    }
  }

  #finishPiece(): void {
    const chunk = this.#chunks.at(-1);
    if (chunk && this.#openMs > 0) chunk.pieces += 1;
    this.#openMs = 0;
  }

  async #chunkFor(segment: FinishedSegment, windowMs: number, nowMs: number, isBetween: boolean): Promise<Chunk> {
    const chunk = this.#chunks.at(-1);
    const pieceMs = Math.floor(windowMs / mostPieces);
    const chunkMs = Math.min(longestChunkMs, Math.floor(windowMs / chunksPerWindow));
    const isFirst = this.#chunks.length === 1;
    const isOver =
      chunk !== undefined &&
      (chunk.durationMs >= chunkMs || (isFirst && chunk.head.pieceMs !== pieceMs && chunk.pieces >= firstPieces));
    const isOther = chunk !== undefined && !isFirst && chunk.head.pieceMs !== pieceMs;
    if (chunk && !(isBetween && (isOver || isOther))) return chunk;
    const longestMs = 0.75 * pieceMs + segment.durationMs;
    const targetSeconds = Math.max(1, Math.round(longestMs / 1000), chunk?.head.targetSeconds ?? 0);
    const isStart = chunk === undefined;
    return this.#begin({ ...placeOf(segment), pieceMs: isStart ? 0 : pieceMs, targetSeconds }, nowMs);
  }

  async #begin(about: Omit<RewindHead, 'discontinuities'>, nowMs: number): Promise<Chunk> {
    const before = this.#chunks.at(-1);
    const first = before ? before.first + before.pieces : Math.floor((nowMs - numberingEpochMs) / 1000);
    if (before && before.pieces === 0) return before;
    const { vhost, app, stream, pieceMs, targetSeconds } = about;
    const discontinuities = before ? before.head.discontinuities + before.discontinuities : 0;
    const head: RewindHead = { vhost, app, stream, discontinuities, pieceMs, targetSeconds };
    const chunk = newChunk(Math.max(0, first), head);
    const directory = this.#pathOf(chunk);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await append(join(directory, rewindLogName), formatRewindHead(head)).catch(async (error: unknown) => {
      await rm(directory, { recursive: true, force: true });
      throw error;
    });
    this.#chunks.push(chunk);
    return chunk;
  }

  #pathOf({ first }: Pick<Chunk, 'first'>): string {
    return join(this.directory, rewindChunkFolder(first));
  }
}

function newChunk(first: number, head: RewindHead): Chunk {
  return { first, head, pieces: 0, discontinuities: 0, durationMs: 0, bytes: 0, startMs: 0, endMs: 0 };
}

function count(chunk: Chunk, { durationMs, bytes, dateMs, isDiscontinuity }: RewindSegment): void {
  chunk.durationMs += durationMs;
  chunk.bytes += bytes;
  chunk.startMs ||= dateMs;
  chunk.endMs = dateMs + durationMs;
  if (isDiscontinuity) chunk.discontinuities += 1;
}

function placeOf({ vhost, app, stream }: WirePlace): WirePlace {
  return { vhost, app, stream };
}

/** The engine knows its own seams; a gap in the numbers is one in any case. */
function isSeam(last: LastSegment, segment: FinishedSegment): boolean {
  if (segment.sequence !== last.sequence + 1) return true;
  return segment.isDiscontinuity ?? segment.clientId !== last.clientId;
}

/** A full disk may take half a line: that half is taken back, or the next line would be spoilt by it. */
async function append(file: string, text: string): Promise<void> {
  const before = (await stat(file).catch(() => undefined))?.size ?? 0;
  await appendFile(file, text, { mode: 0o600 }).catch(async (error: unknown) => {
    await truncate(file, before).catch(() => undefined);
    throw error;
  });
}

/** `isNewest`: torn lines are cut off, and lines whose file is not whole, because more is to be written behind them. */
async function readLog(directory: string, isNewest: boolean) {
  const file = join(directory, rewindLogName);
  const log = parseRewindLog(await readFile(file, 'utf8').catch(() => ''));
  if (!log || !isNewest) return log;
  const whole: RewindSegment[] = [];
  let goodBytes = Buffer.byteLength(formatRewindHead(log.head));
  for (const segment of log.segments) {
    const facts = await stat(join(directory, rewindSegmentFile(segment.id))).catch(() => undefined);
    if (facts?.size !== segment.bytes) break;
    whole.push(segment);
    goodBytes += Buffer.byteLength(formatRewindSegment(segment));
  }
  await truncate(file, goodBytes);
  return { ...log, segments: whole };
}
