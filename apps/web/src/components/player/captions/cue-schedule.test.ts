import { expect, it } from 'vitest';
import { CueSchedule } from './cue-schedule.ts';

const cue = (id: string, startMs: number, endMs: number, text = id) => ({ id, startMs, endMs, text });
const at = (board: CueSchedule, ...positions: number[]) =>
  positions.map((ms) =>
    board
      .at(ms)
      .map(({ text }) => text)
      .join(' | '),
  );

it('shows a cue at its time to a player that is behind it', () => {
  const board = new CueSchedule();
  board.add([cue('a', 5000, 6500)], 1000);
  expect(at(board, 4999, 5000, 6499, 6500)).toEqual(['', 'a', 'a', '']);
});

it('shows a cue at once to a player that is past it, for as long as it takes to read', () => {
  const board = new CueSchedule();
  board.add([cue('short', 1000, 1300), cue('long', 2000, 5000)], 6000);
  expect(at(board, 5999, 6000, 6999, 7000, 8999, 9000)).toEqual([
    '',
    'short | long',
    'short | long',
    'long',
    'long',
    '',
  ]);
  const text = 'x'.repeat(50);
  board.clear();
  board.add([cue('text', 1000, 1300, text)], 6000);
  expect(at(board, 7999, 8000)).toEqual([text, '']);
});

it('puts better words in the place of the first ones, and takes back', () => {
  const board = new CueSchedule();
  board.add([cue('1', 1000, 2000, 'helo')], 4000);
  board.add([cue('1', 1000, 2500, 'hello there')], 4600);
  expect(at(board, 4600, 5499, 5500)).toEqual(['hello there', 'hello there', '']);
  board.add([cue('1', 1000, 2500, '')], 4700);
  expect(at(board, 4700)).toEqual(['']);
});

it('shows two at most, the newest, and keeps some hundreds', () => {
  const board = new CueSchedule();
  board.add([cue('a', 0, 9000), cue('b', 1000, 9000), cue('c', 2000, 9000)], 0);
  expect(at(board, 2500)).toEqual(['b | c']);
  for (let n = 0; n < 1000; n++) board.add([cue(`n${n}`, 0, 9000)], 0);
  expect(at(board, 1)).toEqual(['n998 | n999']);
});

const growing = (id: string, startMs: number, endMs: number, text: string) => ({
  ...cue(id, startMs, endMs, text),
  isInterim: true,
});

it('lets a text grow where it stands, waits for more, and leaves time to read its last words', () => {
  const board = new CueSchedule();
  board.add([growing('1', 1000, 1800, 'Good')], 2500);
  board.add([growing('1', 1000, 2600, 'Good evening')], 3500);
  expect(at(board, 3500, 7499, 7500)).toEqual(['Good evening', 'Good evening', '']);
  expect(board.at(3500)[0]).toMatchObject({ fromMs: 2500, isGrown: true });
  board.add([cue('1', 1000, 2900, 'Good evening everybody.')], 4500);
  expect(at(board, 4500, 5499, 5500)).toEqual(['Good evening everybody.', 'Good evening everybody.', '']);
  expect(board.at(4500)[0]).toMatchObject({ fromMs: 2500, isGrown: true });
});

it('takes two lines for what grows: the oldest leaves when it was read, and stays away', () => {
  const board = new CueSchedule();
  board.add([growing('1', 0, 2000, 'one\ntwo')], 2000);
  expect(at(board, 2000)).toEqual(['one\ntwo']);
  board.add([growing('2', 2000, 2500, 'three')], 2500);
  // The line has just appeared.
  expect(at(board, 2600)).toEqual(['one\ntwo | three']);
  expect(at(board, 3100)).toEqual(['two | three']);
  board.add([cue('2', 2000, 3500, 'three four')], 4000);
  expect(at(board, 4000)).toEqual(['two | three four']);
  board.add([cue('1', 0, 2000, 'One\ntwo')], 4000);
  expect(at(board, 4100)).toEqual(['two | three four']);
});

it('shows all of what did not grow, also beside what did', () => {
  const board = new CueSchedule();
  board.add([growing('1', 0, 2000, 'one\ntwo')], 2000);
  at(board, 2000);
  board.add([cue('1', 0, 2000, 'one\ntwo'), cue('2', 2000, 4000, 'three\nfour')], 4500);
  expect(at(board, 4500)).toEqual(['three\nfour']);
  board.clear();
  board.add([cue('1', 0, 2000, 'one\ntwo'), cue('2', 2000, 4000, 'three\nfour')], 4500);
  expect(at(board, 4500)).toEqual(['one\ntwo | three\nfour']);
});
