import { expect, it } from 'vitest';
import { CueSchedule } from './cue-schedule.ts';

const cue = (id: string, startMs: number, endMs: number, text = id) => ({ id, startMs, endMs, text });
const at = (schedule: CueSchedule, ...positions: number[]) =>
  positions.map((ms) =>
    schedule
      .at(ms)
      .map(({ text }) => text)
      .join(' | '),
  );

it('shows a cue on time to a player behind it', () => {
  const schedule = new CueSchedule();
  schedule.add([cue('a', 5000, 6500)], 1000);
  expect(at(schedule, 4999, 5000, 6499, 6500)).toEqual(['', 'a', 'a', '']);
});

it('shows a cue at once to a player past it, for its reading time', () => {
  const schedule = new CueSchedule();
  schedule.add([cue('short', 1000, 1300), cue('long', 2000, 5000)], 6000);
  expect(at(schedule, 5999, 6000, 6999, 7000, 8999, 9000)).toEqual([
    '',
    'short | long',
    'short | long',
    'long',
    'long',
    '',
  ]);
  const text = 'x'.repeat(50);
  schedule.clear();
  schedule.add([cue('text', 1000, 1300, text)], 6000);
  expect(at(schedule, 7999, 8000)).toEqual([text, '']);
  // Chinese says as much in fewer letters.
  schedule.clear();
  schedule.add([cue('text', 1000, 1300, '好'.repeat(20))], 6000);
  expect(at(schedule, 7999, 8000)).toEqual(['好'.repeat(20), '']);
});

it('replaces corrected text and removes withdrawn cues', () => {
  const schedule = new CueSchedule();
  schedule.add([cue('1', 1000, 2000, 'helo')], 4000);
  schedule.add([cue('1', 1000, 2500, 'hello there')], 4600);
  expect(at(schedule, 4600, 5499, 5500)).toEqual(['hello there', 'hello there', '']);
  schedule.add([cue('1', 1000, 2500, '')], 4700);
  expect(at(schedule, 4700)).toEqual(['']);
});

it('shows at most the two newest cues and keeps a few hundred', () => {
  const schedule = new CueSchedule();
  schedule.add([cue('a', 0, 9000), cue('b', 1000, 9000), cue('c', 2000, 9000)], 0);
  expect(at(schedule, 2500)).toEqual(['b | c']);
  for (let n = 0; n < 1000; n++) schedule.add([cue(`n${n}`, 0, 9000)], 0);
  expect(at(schedule, 1)).toEqual(['n998 | n999']);
});

const growing = (id: string, startMs: number, endMs: number, text: string) => ({
  ...cue(id, startMs, endMs, text),
  isInterim: true,
});

it('extends growing text in place and leaves time to read its last words', () => {
  const schedule = new CueSchedule();
  schedule.add([growing('1', 1000, 1800, 'Good')], 2500);
  schedule.add([growing('1', 1000, 2600, 'Good evening')], 3500);
  expect(at(schedule, 3500, 7499, 7500)).toEqual(['Good evening', 'Good evening', '']);
  expect(schedule.at(3500)[0]).toMatchObject({ fromMs: 2500, isGrown: true });
  schedule.add([cue('1', 1000, 2900, 'Good evening everybody.')], 4500);
  expect(at(schedule, 4500, 5499, 5500)).toEqual(['Good evening everybody.', 'Good evening everybody.', '']);
  expect(schedule.at(4500)[0]).toMatchObject({ fromMs: 2500, isGrown: true });
});

it('limits growing text to two lines and removes the oldest for good', () => {
  const schedule = new CueSchedule();
  schedule.add([growing('1', 0, 2000, 'one\ntwo')], 2000);
  expect(at(schedule, 2000)).toEqual(['one\ntwo']);
  schedule.add([growing('2', 2000, 2500, 'three')], 2500);
  // The line has just appeared.
  expect(at(schedule, 2600)).toEqual(['one\ntwo | three']);
  expect(at(schedule, 3100)).toEqual(['two | three']);
  schedule.add([cue('2', 2000, 3500, 'three four')], 4000);
  expect(at(schedule, 4000)).toEqual(['two | three four']);
  schedule.add([cue('1', 0, 2000, 'One\ntwo')], 4000);
  expect(at(schedule, 4100)).toEqual(['two | three four']);
});

it('shows complete cues in full beside growing ones', () => {
  const schedule = new CueSchedule();
  schedule.add([growing('1', 0, 2000, 'one\ntwo')], 2000);
  at(schedule, 2000);
  schedule.add([cue('1', 0, 2000, 'one\ntwo'), cue('2', 2000, 4000, 'three\nfour')], 4500);
  expect(at(schedule, 4500)).toEqual(['three\nfour']);
  schedule.clear();
  schedule.add([cue('1', 0, 2000, 'one\ntwo'), cue('2', 2000, 4000, 'three\nfour')], 4500);
  expect(at(schedule, 4500)).toEqual(['one\ntwo | three\nfour']);
});
