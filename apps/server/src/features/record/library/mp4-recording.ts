import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  boxHeaderBytes,
  Fmp4Muxer,
  MalformedMedia,
  type MediaFrame,
  type Mp4Movie,
  Mp4Pieces,
  type Mp4Sample,
  MpegTsMuxer,
  PacketBuffer,
  readBoxHeader,
  readMovie,
} from '@weir/media';
import { initIdLength } from '@weir/streams';
import type { LoggedSegment } from '../../../segments/segment-log.ts';

/** The index of 40 hours or so. */
const mostIndexBytes = 192 * 1024 ** 2;
/** Twice what the engine lets a segment become. */
const mostPieceBytes = 96 * 1024 ** 2;
/** Start of the output: neither format has a time before zero, and a picture may be decoded some seconds before it is shown. */
const beginMs = 10_000;

/** The finished file of a recording, cut again into the segments it was made of. */
export class Mp4Recording {
  readonly segments: readonly LoggedSegment[];
  readonly indexBytes: number;
  readonly #path: string;
  readonly #bytes: number;
  readonly #movie: Mp4Movie;
  readonly #pieces: Mp4Pieces;
  /** Init section of the segments, if their format has one. */
  readonly init: { readonly id: string; readonly bytes: Buffer } | undefined;

  private constructor(path: string, bytes: number, moov: Buffer, logged: readonly LoggedSegment[]) {
    this.#path = path;
    this.#bytes = bytes;
    this.indexBytes = moov.length;
    this.#movie = readMovie(moov);
    this.#pieces = new Mp4Pieces(
      this.#movie,
      logged.map(({ durationMs }) => durationMs),
    );
    this.init = logged.some(({ init }) => init !== '') ? toInit(this.#movie) : undefined;
    this.segments = toSegments(this.#pieces, logged, this.init?.id ?? '');
  }

  static async open(path: string, logged: readonly LoggedSegment[]): Promise<Mp4Recording> {
    return withFile(path, async (handle) => {
      const { size } = await handle.stat();
      return new Mp4Recording(path, size, await readIndex(handle, size), logged);
    });
  }

  /** Throws when something of the recording could not be given out of this file alone. */
  async verify(logged: readonly LoggedSegment[]): Promise<void> {
    const { video, audio, isWhole } = this.#movie;
    if (!isWhole) throw new MalformedMedia('a track cannot be read');
    const end = Math.max(video?.endOffset ?? 0, audio?.endOffset ?? 0);
    if (end > this.#bytes) throw new MalformedMedia('the file is shorter than its index says');
    const sum = (segments: readonly LoggedSegment[]) => segments.reduce((all, { durationMs }) => all + durationMs, 0);
    if (sum(this.segments) < 0.98 * sum(logged) - 1000)
      throw new MalformedMedia('the file is shorter than its segments');
    for (const piece of this.segments.keys()) spanOf(this.#pieces.samples(piece));
    const last = this.segments.length - 1;
    for (const piece of new Set([0, last >> 1, last])) await this.#piece(piece);
  }

  /** Undefined if it is not in `segments`. */
  async segment({ tsid, format }: Pick<LoggedSegment, 'tsid' | 'format'>): Promise<Buffer | undefined> {
    const piece = this.segments.findIndex((segment) => segment.tsid === tsid && segment.format === format);
    return piece < 0 ? undefined : this.#piece(piece);
  }

  async #piece(piece: number): Promise<Buffer> {
    const samples = this.#pieces.samples(piece);
    const { start, end } = spanOf(samples);
    const bytes = await withFile(this.#path, (handle) => readAt(handle, start, end - start));
    const frames = samples.map(({ offset, size, dtsMs, ptsMs, ...facts }) => ({
      ...facts,
      dtsMs: dtsMs + beginMs,
      ptsMs: ptsMs + beginMs,
      payload: bytes.subarray(offset - start, offset - start + size),
    }));
    if (!this.init) return toMpegTs(this.#movie, frames, piece);
    // Fragments last a second and more, so numbers by the millisecond grow from piece to piece.
    const firstSequence = Math.round(frames[0]?.dtsMs ?? 0);
    return toFmp4Muxer(this.#movie, firstSequence).fragments(frames);
  }
}

function toMpegTs({ video, audio }: Mp4Movie, frames: readonly MediaFrame[], piece: number): Buffer {
  const muxer = new MpegTsMuxer();
  for (const track of [video, audio]) if (track) muxer.setConfig(track.config);
  const bytes = frames.reduce((sum, { payload }) => sum + payload.length, 0);
  const into = new PacketBuffer(bytes + (bytes >> 4));
  muxer.appendBeginning(into, piece);
  for (const frame of frames) muxer.append(frame, into);
  return into.finish();
}

function toFmp4Muxer({ video, audio }: Mp4Movie, firstSequence = 0): Fmp4Muxer {
  return new Fmp4Muxer({
    firstSequence,
    ...(video?.config.kind === 'video' && { video: video.config }),
    ...(audio?.config.kind === 'audio' && { audio: audio.config }),
  });
}

/** All parts of the file have the same tracks, so one is enough. */
function toInit(movie: Mp4Movie): { id: string; bytes: Buffer } {
  const bytes = toFmp4Muxer(movie).initSegment();
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, initIdLength), bytes };
}

/** A seam inside a merged piece counts before that piece. */
function toSegments({ pieces }: Mp4Pieces, logged: readonly LoggedSegment[], init: string): LoggedSegment[] {
  return pieces.flatMap(({ wanted, durationMs }, index) => {
    const segment = logged[wanted];
    const after = (pieces[index - 1]?.wanted ?? -1) + 1;
    const isDiscontinuity = logged.slice(after, wanted + 1).some((each) => each.isDiscontinuity);
    return segment ? [{ ...segment, init, durationMs, isDiscontinuity }] : [];
  });
}

/** Samples of one time lie together, sound and picture in turns. */
function spanOf(samples: readonly Mp4Sample[]): { start: number; end: number } {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const { offset, size } of samples) {
    start = Math.min(start, offset);
    end = Math.max(end, offset + size);
  }
  if (end - start > mostPieceBytes) throw new MalformedMedia('a piece of the file is too large');
  return { start: Math.min(start, end), end };
}

async function readIndex(handle: FileHandle, bytes: number): Promise<Buffer> {
  for (let at = 0; at + 8 <= bytes; ) {
    const { type, size, headerBytes } = readBoxHeader(
      await readAt(handle, at, Math.min(boxHeaderBytes, bytes - at)),
      0,
    );
    if (size !== 0 && size < headerBytes) break;
    const end = size === 0 ? bytes : at + size;
    if (type === 'moov') {
      if (end > bytes || end - at > mostIndexBytes) break;
      return readAt(handle, at + headerBytes, end - at - headerBytes);
    }
    at = end;
  }
  throw new MalformedMedia('the file has no index');
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw new MalformedMedia('the file ends early');
    read += bytesRead;
  }
  return buffer;
}

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
