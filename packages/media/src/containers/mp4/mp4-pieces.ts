import { MalformedMedia, type MediaFrame } from '../../frame.ts';
import type { Mp4Movie, Mp4Track } from './mp4-movie.ts';
import type { SampleCursor } from './sample-cursor.ts';

/** Position of a sample in the file, and its times in the output. */
export interface Mp4Sample extends Omit<MediaFrame, 'payload'> {
  readonly offset: number;
  readonly size: number;
}

/** A part of the film that begins at a keyframe. */
interface Mp4Piece {
  /** Index among the requested pieces. */
  readonly wanted: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Positions of both tracks at the start of a piece; the last cut is the end of the file. */
interface Cut {
  readonly wanted: number;
  readonly startMs: number;
  readonly lead: SampleCursor;
  readonly other: SampleCursor | undefined;
}

/**
 * A film in pieces of about the wanted lengths, each from a keyframe on. A wanted piece without a keyframe near its
 * beginning belongs to the one before. Lengths count from where the last piece really began, so errors never add up.
 */
export class Mp4Pieces {
  readonly pieces: readonly Mp4Piece[];
  readonly #lead: Mp4Track;
  readonly #other: Mp4Track | undefined;
  readonly #cuts: readonly Cut[];

  constructor({ video, audio }: Mp4Movie, wantedMs: readonly number[]) {
    const lead = video ?? audio;
    if (!lead) throw new MalformedMedia('neither video nor audio');
    this.#lead = lead;
    this.#other = lead === video ? audio : undefined;
    this.#cuts = planCuts(lead, this.#other, wantedMs);
    this.pieces = this.#cuts.slice(0, -1).map(({ wanted, startMs }, index) => ({
      wanted,
      startMs,
      durationMs: (this.#cuts[index + 1]?.startMs ?? startMs) - startMs,
    }));
  }

  /** Samples of one piece in decoding order. */
  samples(piece: number): Mp4Sample[] {
    const from = this.#cuts[piece];
    const to = this.#cuts[piece + 1];
    if (!from || !to) throw new RangeError('there is no such piece');
    const found = samplesOf(this.#lead, from.lead, to.lead);
    if (this.#other && from.other && to.other) found.push(...samplesOf(this.#other, from.other, to.other));
    return found.sort((a, b) => a.dtsMs - b.dtsMs);
  }
}

function planCuts(lead: Mp4Track, other: Mp4Track | undefined, wantedMs: readonly number[]): Cut[] {
  const cursor = lead.begin();
  if (cursor.isAtEnd) throw new MalformedMedia('there is no sample');
  const follower = other?.begin();
  const cuts: Cut[] = [];
  const cutAt = (at: SampleCursor, wanted: number, isOpen = true) => {
    const startMs = lead.toMs(at.dts);
    // Audio before the first video frame belongs to the first piece.
    if (other && follower && cuts.length > 0) {
      while (!follower.isAtEnd && (!isOpen || other.toMs(follower.dts) < startMs)) follower.advance();
    }
    cuts.push({ wanted, startMs, lead: at.clone(), other: follower?.clone() });
    return startMs;
  };
  let lastMs = cutAt(cursor, 0);
  let expectedMs = lastMs;
  let before: SampleCursor | undefined;
  for (let wanted = 1; wanted < wantedMs.length; wanted++) {
    const lengthMs = wantedMs[wanted - 1] ?? 0;
    expectedMs += lengthMs;
    while (!cursor.isAtEnd && lead.toMs(cursor.dts) < expectedMs) {
      // The next sample is close enough when every sample is a keyframe.
      if (lead.table.syncs) before = cursor.clone();
      toNextSync(cursor);
    }
    const found = [before, cursor]
      .filter((at) => at !== undefined && !at.isAtEnd && lead.toMs(at.dts) > lastMs)
      .map((at) => ({ at, awayMs: Math.abs(lead.toMs(at?.dts ?? 0) - expectedMs) }))
      .sort((a, b) => a.awayMs - b.awayMs)[0];
    if (!found?.at || found.awayMs > Math.max(lengthMs, wantedMs[wanted] ?? 0) / 2) continue;
    lastMs = cutAt(found.at, wanted);
    expectedMs = lastMs;
  }
  while (!cursor.isAtEnd) cursor.advance();
  cutAt(cursor, wantedMs.length, false);
  return cuts;
}

function toNextSync(cursor: SampleCursor): void {
  do cursor.advance();
  while (!cursor.isAtEnd && !cursor.isSync);
}

function samplesOf({ config, toMs }: Mp4Track, from: SampleCursor, to: SampleCursor): Mp4Sample[] {
  const found: Mp4Sample[] = [];
  const { kind, codec } = config;
  for (const at = from.clone(); at.index < to.index; at.advance()) {
    const { dts, pts, offset, size, isSync } = at;
    found.push({ kind, codec, dtsMs: toMs(dts), ptsMs: toMs(pts), isKeyframe: isSync, offset, size });
  }
  return found;
}
