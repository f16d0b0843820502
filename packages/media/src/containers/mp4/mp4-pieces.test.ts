import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MalformedMedia, type MediaFrame } from '../../frame.ts';
import { clipOf, probe, testPicture, testTone, x264, x265 } from '../mpegts/clip.fixture.ts';
import { MpegTsMuxer } from '../mpegts/mpegts-muxer.ts';
import { PacketBuffer } from '../mpegts/packet-buffer.ts';
import { readBoxes } from './box-reader.ts';
import { type Mp4Movie, readMovie } from './mp4-movie.ts';
import { Mp4Pieces } from './mp4-pieces.ts';

function encodeMp4(...args: readonly string[]): Buffer {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-mp4-')), 'film.mp4');
  execFileSync('ffmpeg', ['-v', 'error', ...args, '-movflags', '+faststart', file]);
  return readFileSync(file);
}

const moovOf = (file: Buffer) => readBoxes(file).find(({ type }) => type === 'moov')?.content ?? Buffer.alloc(0);

function framesOf(file: Buffer, pieces: Mp4Pieces, piece: number): MediaFrame[] {
  return pieces
    .samples(piece)
    .map(({ offset, size, ...facts }) => ({ ...facts, payload: file.subarray(offset, offset + size) }));
}

/** Every piece by a muxer of its own, as a server makes them when they are asked for. */
function muxPieces(file: Buffer, movie: Mp4Movie, pieces: Mp4Pieces): Buffer[] {
  return pieces.pieces.map((_, piece) => {
    const muxer = new MpegTsMuxer();
    for (const track of [movie.video, movie.audio]) if (track) muxer.setConfig(track.config);
    const into = new PacketBuffer();
    muxer.appendBeginning(into, piece);
    for (const frame of framesOf(file, pieces, piece)) muxer.append(later(frame), into);
    return into.finish();
  });
}

/** MPEG-TS has no negative times. */
const later = (frame: MediaFrame) => ({ ...frame, dtsMs: frame.dtsMs + 1000, ptsMs: frame.ptsMs + 1000 });

const aac = ['-c:a', 'aac'];
const kinds = {
  'H.264 with B-frames and AAC': [...testPicture, ...testTone, ...x264, '-bf', '2', ...aac],
  'H.265 and AAC': [...testPicture, ...testTone, ...x265, ...aac],
  'H.264 and MP3': [...testPicture, ...testTone, ...x264, '-c:a', 'libmp3lame'],
  'pictures alone': [...testPicture, ...x264],
  'sound alone': [...testTone, ...aac],
};

describe('Mp4Pieces', () => {
  it.each(Object.entries(kinds))(
    'returns every sample of %s once, and ffmpeg reads the pieces as one film',
    (_, args) => {
      const file = encodeMp4(...args);
      const movie = readMovie(moovOf(file));
      expect(movie.isWhole).toBe(true);
      const pieces = new Mp4Pieces(movie, [334, 333, 333]);
      expect(pieces.pieces.map(({ wanted }) => wanted)).toEqual([0, 1, 2]);
      const ts = Buffer.concat(muxPieces(file, movie, pieces));
      const asMp4 = probe(file, 'mp4');
      const asTs = probe(ts, 'mpegts');
      expect(asTs.complaints).toBe('');
      expect(asTs.packets).toHaveLength(asMp4.packets.length);
      const { frames } = clipOf(ts);
      expect(frames.filter(({ kind }) => kind === 'video').map(({ isKeyframe }) => isKeyframe)).toEqual(
        [...asMp4.packets].filter((packet) => packet.codec_type === 'video').map(({ flags }) => flags.includes('K')),
      );
    },
  );

  it('starts each piece at the keyframe nearest to its target', () => {
    const file = encodeMp4(...testPicture, ...x264, '-bf', '0', '-sc_threshold', '0');
    const movie = readMovie(moovOf(file));
    // Keyframes are at 0, 333 and 667 ms.
    const startsOf = (wanted: readonly number[]) =>
      new Mp4Pieces(movie, wanted).pieces.map((piece) => [piece.wanted, Math.round(piece.startMs)]);
    expect(startsOf([300, 300, 400])).toEqual([
      [0, 0],
      [1, 333],
      [2, 667],
    ]);
    expect(startsOf([100, 100, 100, 100, 100])).toEqual([
      [0, 0],
      [3, 333],
    ]);
    expect(startsOf([5000, 10])).toEqual([[0, 0]]);
    expect(new Mp4Pieces(movie, [1]).pieces[0]?.durationMs).toBeCloseTo(1000, 0);
  });

  it('knows the end of the last sample', () => {
    const file = encodeMp4(...kinds['H.264 and MP3']);
    const { video, audio } = readMovie(moovOf(file));
    expect(Math.max(video?.endOffset ?? 0, audio?.endOffset ?? 0)).toBe(file.length);
  });

  it('reports a truncated or malformed index, and never hangs', () => {
    const file = encodeMp4(...kinds['H.264 with B-frames and AAC']);
    const moov = moovOf(file);
    const read = (bytes: Buffer) => {
      const movie = readMovie(bytes);
      const pieces = new Mp4Pieces(movie, [500, 500]);
      for (const piece of pieces.pieces.keys()) pieces.samples(piece);
    };
    // Behind the tracks there is only what the encoder is called.
    const tracksEnd = moov.lastIndexOf('udta') - 4;
    for (let length = 0; length < tracksEnd; length += 37) {
      expect(() => read(moov.subarray(0, length)), String(length)).toThrow(MalformedMedia);
    }
    for (let at = 8; at < moov.length; at += 5) {
      const garbled = Buffer.from(moov);
      garbled[at] = (garbled[at] ?? 0) ^ 0xff;
      try {
        read(garbled);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMedia);
      }
    }
  });
});
