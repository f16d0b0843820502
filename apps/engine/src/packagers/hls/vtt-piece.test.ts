import { expect, it } from 'vitest';
import { vttPiece } from './vtt-piece.ts';

const cue = (id: string, startMs: number, endMs: number, arrivedMs = startMs) => ({
  id,
  startMs,
  endMs,
  arrivedMs,
  text: id,
});
const ids = (text: string) => [...text.matchAll(/^(\w+)\n\d\d:/gm)].map(([, id]) => id);
const times = (text: string) =>
  [...text.matchAll(/^\d\d:\d\d:(\S+) --> \d\d:\d\d:(\S+)$/gm)].map(([, a, b]) => `${a} ${b}`);
const ordinary = { isLow: false };

it('a piece without cues is an empty file with its position in time', () => {
  const text = vttPiece([cue('a', 0, 900)], { startMs: 2000, endMs: 4000 }, ordinary);
  expect(text).toBe('WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:02.000,MPEGTS:180000\n');
});

it('a cue is written completely in every piece it overlaps, and in no other', () => {
  const cues = [cue('long', 1500, 4500, 1500), cue('edge', 4000, 5000, 4500)];
  const piece = (startMs: number) => vttPiece(cues, { startMs, endMs: startMs + 2000 }, ordinary);
  expect([0, 2000, 4000, 6000].map((startMs) => ids(piece(startMs)))).toEqual([
    ['long'],
    ['long'],
    ['long', 'edge'],
    [],
  ]);
  expect(times(piece(2000))).toEqual(['01.500 04.500']);
});

it('a cue that arrives after its piece was read is written in the next one, at its own time', () => {
  const late = cue('late', 1000, 1900, 2700);
  const next = vttPiece([late], { startMs: 2000, endMs: 4000 }, ordinary);
  expect([ids(next), times(next)]).toEqual([['late'], ['01.000 01.900']]);
  expect(ids(vttPiece([late], { startMs: 0, endMs: 2000 }, ordinary))).toEqual(['late']);
  expect(ids(vttPiece([late], { startMs: 4000, endMs: 6000 }, ordinary))).toEqual([]);
});

it('every low-latency piece shows a late cue at the same, still reachable time', () => {
  const late = cue('late', 1000, 1900, 3300);
  const part = (startMs: number) => vttPiece([late], { startMs, endMs: startMs + 334 }, { isLow: true });
  expect([ids(part(3000)), times(part(3000))]).toEqual([['late'], ['02.300 03.200']]);
  expect(times(part(2400))).toEqual(['02.300 03.200']);
  expect(ids(part(3400))).toEqual([]);
  expect(times(vttPiece([cue('soon', 1000, 1900, 1800)], { startMs: 1000, endMs: 2000 }, { isLow: true }))).toEqual([
    '01.000 01.900',
  ]);
});

it('a provisional cue is not written', () => {
  expect(ids(vttPiece([{ ...cue('a', 0, 900), isInterim: true }], { startMs: 0, endMs: 2000 }, ordinary))).toEqual([]);
});
