import type { AudioConfig, VideoConfig } from '../../frame.ts';
import { box, fullBox, u16, u32 } from './boxes.ts';
import { audioSampleEntry, videoSampleEntry } from './sample-entry.ts';

export interface Fmp4Track {
  readonly id: number;
  readonly timescale: number;
  readonly config: VideoConfig | AudioConfig;
}

/** is_leading, depends_on, is_non_sync…: ISO 14496-12, 8.8.3.1. */
export const syncSampleFlags = 0x02000000;
export const nonSyncSampleFlags = 0x01010000;

const unityMatrix = u32(0x00010000, 0, 0, 0, 0x00010000, 0, 0, 0, 0x40000000);

/** ftyp and moov: what a player reads once, before any fragment. */
export function writeInitSegment(tracks: readonly Fmp4Track[]): Buffer {
  const brands = Buffer.from('iso6\0\0\x02\0iso6cmfcmp41', 'latin1');
  const header = fullBox('mvhd', 0, 0, u32(0, 0, 1000, 0, 0x00010000), u16(0x0100), Buffer.alloc(10), movieTail());
  const extends_ = box('mvex', ...tracks.map(trackExtends));
  return Buffer.concat([box('ftyp', brands), box('moov', header, ...tracks.map(trackBox), extends_)]);
}

/** Matrix, six reserved words, and a next_track_ID beyond the two tracks there can be. */
function movieTail(): Buffer {
  return Buffer.concat([unityMatrix, Buffer.alloc(24), u32(3)]);
}

function trackExtends({ id, config }: Fmp4Track): Buffer {
  return fullBox('trex', 0, 0, u32(id, 1, 0, 0, config.kind === 'audio' ? syncSampleFlags : nonSyncSampleFlags));
}

function trackBox(track: Fmp4Track): Buffer {
  return box('trak', trackHeader(track), mediaBox(track));
}

/** Enabled and in the movie; the duration is not known, as it never is in a live stream. */
function trackHeader({ id, config }: Fmp4Track): Buffer {
  const isVideo = config.kind === 'video';
  const size = isVideo ? u32(config.width * 0x10000, config.height * 0x10000) : u32(0, 0);
  const volume = isVideo ? 0 : 0x0100;
  return fullBox('tkhd', 0, 3, u32(0, 0, id, 0, 0, 0, 0), u16(0, isVideo ? 0 : 1, volume, 0), unityMatrix, size);
}

function mediaBox({ timescale, config }: Fmp4Track): Buffer {
  const isVideo = config.kind === 'video';
  const undetermined = 0x55c4; // 'und' in three groups of 5 bits
  const handler = Buffer.from(isVideo ? 'vide' : 'soun', 'latin1');
  const mediaHeader = isVideo ? fullBox('vmhd', 0, 1, Buffer.alloc(8)) : fullBox('smhd', 0, 0, Buffer.alloc(4));
  return box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, timescale, 0), u16(undetermined, 0)),
    fullBox('hdlr', 0, 0, u32(0), handler, Buffer.alloc(12), Buffer.from('weir\0', 'latin1')),
    box('minf', mediaHeader, dataInformation(), sampleTable(config)),
  );
}

/** The media is in this very file: a 'url ' with flag 1 and no address. */
function dataInformation(): Buffer {
  return box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
}

/** Only the sample entry; the tables are empty because the samples are in the fragments. */
function sampleTable(config: VideoConfig | AudioConfig): Buffer {
  const entry = config.kind === 'video' ? videoSampleEntry(config) : audioSampleEntry(config);
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0, 0)),
    fullBox('stco', 0, 0, u32(0)),
  );
}
