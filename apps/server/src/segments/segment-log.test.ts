import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type LoggedSegment, SegmentLog, sumSegments } from './segment-log.ts';
import { segmentPlaylist, splitRuns } from './segment-playlist.ts';

const segment = (sequence: number, isDiscontinuity = false): LoggedSegment => ({
  tsid: `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`,
  format: 'mpegts',
  init: '',
  sequence,
  durationMs: 2000 + sequence,
  bytes: 1000,
  isDiscontinuity,
  atMs: 1_700_000_000_000,
});
const head = { vhost: '__defaultVhost__', app: '直播', stream: 'a "b"\n', startedAtMs: 1 };
const open = async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-log-')), 'segments.log');
  const log = new SegmentLog(file);
  await log.begin(head);
  return { file, log };
};

it('returns what was written, with its owner', async () => {
  const { log } = await open();
  for (const each of [segment(1), segment(2, true)]) await log.append(each);
  expect(await log.read()).toEqual([segment(1), segment(2, true)]);
  expect(await log.head()).toEqual(head);
  expect(sumSegments(await log.read())).toEqual({ segments: 2, durationMs: 4003, bytes: 2000, discontinuities: 1 });
});

it.each([...Array(80).keys()])('loses a torn last line and nothing else, torn after %i characters', async (length) => {
  const { file, log } = await open();
  await log.append(segment(1));
  const before = readFileSync(file, 'utf8');
  const { log: other, file: otherFile } = await open();
  await other.append(segment(2));
  const line = readFileSync(otherFile, 'utf8').split('\n')[1] ?? '';
  appendFileSync(file, line.slice(0, length));
  expect(await log.repair()).toEqual([segment(1)]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  await log.append(segment(3));
  expect((await log.read()).map(({ sequence }) => sequence)).toEqual([1, 3]);
});

it('the log is empty for a missing file', async () => {
  const log = new SegmentLog(join(tmpdir(), 'weir-no-such-directory', 'segments.log'));
  expect(await log.repair()).toEqual([]);
});

it('becomes a playlist with correct target duration and discontinuities, and an end tag only when it ended', () => {
  const segments = [segment(1, true), segment(2), segment(600, true), { ...segment(601), durationMs: 12_600 }];
  const options = { uri: (name: string) => name.replace(/.*-0*/, '') };
  expect(segmentPlaylist(segments, { ...options, isOpen: true }).split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-TARGETDURATION:13',
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXTINF:2.001,',
    '1.ts',
    '#EXTINF:2.002,',
    '2.ts',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:2.600,',
    '600.ts',
    '#EXTINF:12.600,',
    '601.ts',
    '',
  ]);
  const closed = segmentPlaylist(segments, { ...options, isOpen: false });
  expect(closed).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD[\s\S]*#EXT-X-ENDLIST\n$/);
  expect(splitRuns(segments).map((run) => run.map(({ sequence }) => sequence))).toEqual([
    [1, 2],
    [600, 601],
  ]);
});

it('names the init section of each format of a stream in its log and playlist', async () => {
  const inits = ['a', 'a', 'b', 'b'].map((letter) => letter.repeat(32));
  const segments = inits.map((init, index) => ({ ...segment(index + 1, index === 3), format: 'fmp4' as const, init }));
  const file = join(mkdtempSync(join(tmpdir(), 'weir-log-')), 'segments.log');
  const log = new SegmentLog(file);
  for (const each of segments) await log.append(each);
  expect(await log.read()).toEqual(segments);
  expect(splitRuns(segments).map(({ length }) => length)).toEqual([2, 1, 1]);
  const text = segmentPlaylist(segments, { isOpen: false, uri: (name) => name.replace(/.*-0*/, '').slice(0, 5) });
  expect(text.split('\n').slice(5, -2)).toEqual([
    '#EXT-X-MAP:URI="aaaaa"',
    '#EXTINF:2.001,',
    '1.m4s',
    '#EXTINF:2.002,',
    '2.m4s',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-MAP:URI="bbbbb"',
    '#EXTINF:2.003,',
    '3.m4s',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-MAP:URI="bbbbb"',
    '#EXTINF:2.004,',
    '4.m4s',
  ]);
  expect(text).toContain('#EXT-X-VERSION:7\n');
  rmSync(dirname(file), { recursive: true });
});
