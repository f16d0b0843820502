import { MalformedMedia, type TrackConfig } from '../../frame.ts';
import { readBoxes, readU64, within } from './box-reader.ts';
import { SampleCursor } from './sample-cursor.ts';
import { readSampleDescription } from './sample-description.ts';
import { SampleTable } from './sample-table.ts';

/** Track of a file that is not fragmented. */
export class Mp4Track {
  readonly config: TrackConfig;
  readonly table: SampleTable;
  readonly #timescale: number;
  /** Offset that the edit list adds to every time. */
  readonly #shiftMs: number;

  constructor(facts: { config: TrackConfig; table: SampleTable; timescale: number; shiftMs: number }) {
    this.config = facts.config;
    this.table = facts.table;
    this.#timescale = facts.timescale;
    this.#shiftMs = facts.shiftMs;
  }

  begin(): SampleCursor {
    return new SampleCursor(this.table);
  }

  /** A time of the track on the clock of the file. */
  readonly toMs = (time: number): number => (1000 * time) / this.#timescale + this.#shiftMs;

  /** End offset of the last sample in the file; every sample is checked. */
  get endOffset(): number {
    let end = 0;
    for (const at = this.begin(); !at.isAtEnd; at.advance()) end = Math.max(end, at.offset + at.size);
    return end;
  }
}

export interface Mp4Movie {
  readonly video: Mp4Track | undefined;
  readonly audio: Mp4Track | undefined;
  /** True if the file has no other tracks than these two and subtitles. */
  readonly isWhole: boolean;
}

/** Parses the content of a `moov` box: the first video and the first audio track that we can read. */
export function readMovie(moov: Buffer): Mp4Movie {
  return orMalformed(() => {
    const header = within(moov, 'mvhd');
    if (!header) throw new MalformedMedia('no mvhd');
    const movieTimescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
    const traks = readBoxes(moov).filter(({ type, content }) => type === 'trak' && !isText(content));
    const tracks = traks.map(({ content }) => trackOf(content, movieTimescale));
    const find = (kind: TrackConfig['kind']) => tracks.find((track) => track?.config.kind === kind);
    const video = find('video');
    const audio = find('audio');
    return { video, audio, isWhole: tracks.every((track) => track && (track === video || track === audio)) };
  });
}

/** Reading behind the end of a buffer means that the file is not whole. */
function orMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedMedia('the index of the file is cut off', { cause: error });
    throw error;
  }
}

/** True for a text track, by its handler (ISO 14496-12, 8.4.3). */
function isText(trak: Buffer): boolean {
  const handler = within(trak, 'mdia', 'hdlr')?.toString('latin1', 8, 12);
  return handler === 'sbtl' || handler === 'text' || handler === 'subt';
}

function trackOf(trak: Buffer, movieTimescale: number): Mp4Track | undefined {
  const mdia = within(trak, 'mdia');
  const stbl = mdia && within(mdia, 'minf', 'stbl');
  const header = mdia && within(mdia, 'mdhd');
  const stsd = stbl && within(stbl, 'stsd');
  if (!mdia || !stbl || !header || !stsd) throw new MalformedMedia('a track is not whole');
  const config = readSampleDescription(stsd);
  if (!config) return undefined;
  const timescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  if (timescale === 0) throw new MalformedMedia('a track without a clock');
  return new Mp4Track({
    config,
    table: new SampleTable(stbl),
    timescale,
    shiftMs: shiftOf(trak, timescale, movieTimescale),
  });
}

/** An edit list (ISO 14496-12, 8.6.6): silence before the track, then the time of the media at which it begins. */
function shiftOf(trak: Buffer, timescale: number, movieTimescale: number): number {
  const list = within(trak, 'edts', 'elst');
  if (!list) return 0;
  const isLong = list[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  let shiftMs = 0;
  for (let entry = 0, at = 8; entry < list.readUInt32BE(4); entry++, at += entryBytes) {
    const duration = isLong ? readU64(list, at) : list.readUInt32BE(at);
    const isEmpty = list.readInt32BE(at + (isLong ? 8 : 4)) === -1;
    if (!isEmpty) return shiftMs - (1000 * (isLong ? readU64(list, at + 8) : list.readUInt32BE(at + 4))) / timescale;
    shiftMs += (1000 * duration) / Math.max(1, movieTimescale);
  }
  return shiftMs;
}
