import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { makeFilm } from '../../../media-sources/media.fixture.ts';
import type { LoggedSegment } from '../../../segments/segment-log.ts';
import { RecordingFiles } from '../library/recording-files.ts';
import { makeMp4 } from './make-mp4.ts';

const run = promisify(execFile);
const uuid = '00000000-0000-4000-8000-000000000001';
/** Track numbers of ffmpeg in MPEG-TS. */
const pids = { video: 0x100, audio: 0x101 };

interface Piece {
  readonly size: string;
  readonly seconds?: number;
  /** Named in the tables, and not a packet of it. */
  readonly empty?: 'video' | 'audio';
}

const films = new Map<string, Promise<string>>();

function filmOf(size: string, seconds: number): Promise<string> {
  const name = `${size}-${seconds}.ts`;
  const film = films.get(name) ?? makeFilm({ name, size, seconds });
  films.set(name, film);
  return film;
}

/** A recording of segments that each begin anew, as when the size of the picture changes. */
async function recordingOf(pieces: readonly Piece[]): Promise<{ files: RecordingFiles; segments: LoggedSegment[] }> {
  const files = new RecordingFiles(join(mkdtempSync(join(tmpdir(), 'weir-mp4-')), 'record'));
  await files.create(uuid);
  const segments: LoggedSegment[] = [];
  for (const [index, { size, seconds = 2, empty }] of pieces.entries()) {
    const film = await filmOf(size, seconds);
    const tsid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const name = { tsid, format: 'mpegts', init: '' } as const;
    const file = files.segment(uuid, name);
    writeFileSync(file, empty ? without(readFileSync(film), pids[empty]) : readFileSync(film));
    const bytes = statSync(file).size;
    segments.push({ ...name, sequence: index, durationMs: 1000 * seconds, bytes, isDiscontinuity: index > 0, atMs: 0 });
  }
  return { files, segments };
}

function without(stream: Buffer, pid: number): Buffer {
  const packets = Array.from({ length: stream.length / 188 }, (_, n) => stream.subarray(n * 188, (n + 1) * 188));
  return Buffer.concat(packets.filter((packet) => (packet.readUInt16BE(1) & 0x1fff) !== pid));
}

async function streamsOf(file: string): Promise<{ codec_type: string; duration: string }[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', file]);
  return JSON.parse(stdout).streams;
}

const { signal } = new AbortController();

it.each([
  ['sizes of the picture', [{ size: '320x180' }, { size: '160x90' }, { size: '240x136' }]],
  [
    'a part too short for any sound',
    [{ size: '320x180' }, { size: '160x90', seconds: 1, empty: 'audio' }, { size: '240x136' }],
  ],
  [
    'a part without a picture',
    [{ size: '320x180' }, { size: '160x90', seconds: 1, empty: 'video' }, { size: '240x136' }],
  ],
  [
    'a beginning without sound',
    [{ size: '160x90', seconds: 1, empty: 'audio' }, { size: '320x180' }, { size: '240x136' }],
  ],
] as const)('a recording with %s becomes one file of its whole length', async (_what, pieces: readonly Piece[]) => {
  const { files, segments } = await recordingOf(pieces);
  const onLeftOut = vi.fn();
  const onPercent = () => undefined;
  const film = await makeMp4({ cues: [], language: '', files, uuid, segments, onPercent, onLeftOut, signal });
  expect(onLeftOut).not.toHaveBeenCalled();
  const streams = await streamsOf(files.file(uuid, 'index.mp4'));
  expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'video']);
  const seconds = pieces.reduce((sum, piece) => sum + (piece.seconds ?? 2), 0);
  for (const { duration } of streams) expect(Math.abs(Number(duration) - seconds)).toBeLessThan(0.3);
  const longest = Math.max(...streams.map(({ duration }) => Number(duration)));
  expect(Math.abs(film.durationMs / 1000 - longest)).toBeLessThan(0.1);
});

it('loses only the part that cannot be read', async () => {
  const { files, segments } = await recordingOf([
    { size: '320x180', seconds: 6 },
    { size: '160x90', seconds: 1 },
    { size: '240x136' },
  ]);
  const [, broken] = segments;
  writeFileSync(files.segment(uuid, { tsid: broken?.tsid ?? '', format: 'mpegts' }), Buffer.alloc(188 * 100, 0x2a));
  const onLeftOut = vi.fn();
  await makeMp4({ cues: [], language: '', files, uuid, segments, onPercent: () => undefined, onLeftOut, signal });
  expect(onLeftOut.mock.calls).toEqual([[1000, expect.objectContaining({ failure: 'ffmpeg' })]]);
  const streams = await streamsOf(files.file(uuid, 'index.mp4'));
  for (const { duration } of streams) expect(Math.abs(Number(duration) - 8)).toBeLessThan(0.3);
});
