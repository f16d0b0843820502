import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  parseRewindChunkFolder,
  parseRewindLog,
  type RewindHead,
  type RewindPiece,
  rewindChunkFolder,
  rewindLogName,
  rewindPieces,
  rewindSegmentFile,
} from '@weir/engine-api';

/** Entry of a playlist. */
interface CatalogPiece {
  readonly number: number;
  readonly durationMs: number;
  readonly dateMs: number;
  readonly isDiscontinuity: boolean;
}

export interface CatalogChunk {
  readonly first: number;
  readonly head: RewindHead;
  readonly pieces: readonly CatalogPiece[];
  /** True if every piece begins with a keyframe. */
  readonly isIndependent: boolean;
  readonly durationMs: number;
  /** Date of its end. */
  readonly endMs: number;
  /** In bit/s; the largest segment's. */
  readonly peak: number;
}

interface KnownChunk extends CatalogChunk {
  readonly logBytes: number;
  readonly isClosed: boolean;
}

/** Reads closer together see the same: hundreds of players may ask in one second. */
const leastPauseMs = 200;

/**
 * What the control plane keeps of one stream, read from the logs on the disk. So this process serves it right after its own start, and while the
 * control plane is away. It holds what playlists say of pieces; the segments of a piece are looked up when somebody requests it.
 */
export class RewindCatalog {
  readonly #directory: string;
  readonly #nowMs: () => number;
  #chunks: readonly KnownChunk[] = [];
  #reading: Promise<readonly CatalogChunk[]> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(directory: string, elapsedMs: () => number) {
    this.#directory = directory;
    this.#nowMs = elapsedMs;
  }

  /** Chunks in order; the same list and the same chunks as long as nothing changed. */
  chunks(): Promise<readonly CatalogChunk[]> {
    if (this.#nowMs() - this.#readAtMs < leastPauseMs) return Promise.resolve(this.#chunks);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Files of a piece in order; undefined if there is no such piece. */
  async files(number: number): Promise<string[] | undefined> {
    const has = ({ first, pieces }: CatalogChunk) => number >= first && number < first + pieces.length;
    const chunk = this.#chunks.find(has) ?? (await this.chunks()).find(has);
    if (!chunk) return undefined;
    const directory = join(this.#directory, rewindChunkFolder(chunk.first));
    const log = parseRewindLog(await readFile(join(directory, rewindLogName), 'utf8').catch(() => ''));
    const piece = log && rewindPieces(log, true)[number - chunk.first];
    return piece?.segments.map(({ id }) => join(directory, rewindSegmentFile(id)));
  }

  async #read(): Promise<readonly CatalogChunk[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const firsts = names.flatMap((name) => parseRewindChunkFolder(name) ?? []).sort((a, b) => a - b);
    const known = new Map(this.#chunks.map((chunk) => [chunk.first, chunk]));
    const chunks: KnownChunk[] = [];
    for (const [index, first] of firsts.entries()) {
      const chunk = await this.#readChunk(first, index < firsts.length - 1, known.get(first));
      if (chunk) chunks.push(chunk);
    }
    this.#readAtMs = this.#nowMs();
    const isSame = chunks.length === this.#chunks.length && chunks.every((chunk, at) => chunk === this.#chunks[at]);
    if (!isSame) this.#chunks = chunks;
    return this.#chunks;
  }

  async #readChunk(first: number, isClosed: boolean, known: KnownChunk | undefined): Promise<KnownChunk | undefined> {
    if (known?.isClosed) return known;
    const file = join(this.#directory, rewindChunkFolder(first), rewindLogName);
    const logBytes = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (known && known.logBytes === logBytes && known.isClosed === isClosed) return known;
    const log = parseRewindLog(await readFile(file, 'utf8').catch(() => ''));
    if (!log) return undefined;
    const { head, segments } = log;
    const pieces = rewindPieces(log, isClosed);
    const last = segments.at(-1);
    return {
      first,
      head,
      logBytes,
      isClosed,
      pieces: pieces.map((piece, index) => toCatalogPiece(piece, first + index)),
      isIndependent: pieces.every((piece) => piece.segments[0]?.isIndependent),
      durationMs: pieces.reduce((sum, { durationMs }) => sum + durationMs, 0),
      endMs: last ? last.dateMs + last.durationMs : 0,
      peak: segments.reduce((peak, { bytes, durationMs }) => Math.max(peak, (8000 * bytes) / (durationMs || 1000)), 0),
    };
  }
}

function toCatalogPiece({ segments, durationMs }: RewindPiece, number: number): CatalogPiece {
  const [first] = segments;
  return { number, durationMs, dateMs: first?.dateMs ?? 0, isDiscontinuity: first?.isDiscontinuity ?? false };
}
