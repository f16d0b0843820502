import { LevelDetails } from 'hls.js';
import { expect, it } from 'vitest';
import { dateOf, positionOf } from './rewound-playback.ts';

const startMs = Date.UTC(2026, 2, 1, 10);

/** Pieces of 4 s on a time line of the player that begins at 100 s. A minute is missing between the second and the third. */
function details(live: boolean): LevelDetails {
  const dates = [0, 4, 68, 72, 76];
  const fragments = dates.map((second, n) => ({
    start: 100 + 4 * n,
    duration: 4,
    programDateTime: startMs + 1000 * second,
  }));
  const made = Object.assign(new LevelDetails('http://weir.test/play/id.dvr.m3u8'), { targetduration: 4, live });
  made.fragments = fragments as LevelDetails['fragments'];
  Object.defineProperty(made, 'edge', { value: 120 });
  return made;
}

it.each([
  ['before what is kept at its start', -50, 100],
  ['within a piece', 5.5, 105.5],
  ['in a gap at its end', 30, 108],
  ['after a gap', 69, 109],
  ['close to live two pieces behind it', 79, 112],
])('finds a date %s', (_title, second, position) => {
  expect(positionOf(details(true), startMs + 1000 * second)).toBe(position);
});

it('finds the last picture of a stream that ended', () => {
  expect(positionOf(details(false), startMs + 90_000)).toBe(119.5);
});

it.each([
  ['within a piece', 105.5, 5.5],
  ['after a gap', 109, 69],
  ['that left the playlist', 98, -2],
])('knows the date of a position %s', (_title, position, second) => {
  expect(dateOf(details(true), position)).toBe(startMs + 1000 * second);
});
