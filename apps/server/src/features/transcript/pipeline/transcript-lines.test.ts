import { expect, it } from 'vitest';
import { TestPipelines } from './transcript-pipeline.fixture.ts';

const open = () => new TestPipelines().start();
const states = ({ lane }: TestPipelines) => lane.lines.map(({ text, state }) => `${text}: ${state}`);

it('lists each sentence once, from recognition to the output', async () => {
  const lanes = await open();
  await lanes.hear(500, 1500, 'one');
  expect(states(lanes)).toEqual([]);
  await lanes.hear(1600, 2600, 'two\nlines');
  await lanes.bring(1);
  await lanes.hear(4500, 5500, 'three');
  expect(states(lanes)).toEqual(['one: review', 'two lines: review', 'three: heard']);
  await lanes.bring(2);
  expect(states(lanes)).toEqual(['one: air', 'two lines: air', 'three: review']);
  const [one, , three] = lanes.lane.lines;
  expect((three?.atMs ?? 0) - (one?.atMs ?? 0)).toBe(4000);
});

it('edits a line in review by what the list says of it, and marks only that line', async () => {
  const lanes = await open();
  await lanes.hear(100, 800, 'one');
  await lanes.hear(900, 1800, 'too');
  await lanes.bring(1);
  const line = lanes.lane.lines[1];
  await lanes.lane.edit(line?.segment?.tsid ?? '', line?.segment?.cue, 'two');
  const view = () => lanes.lane.lines.map(({ text, edited, segment }) => [text, edited, segment?.cue ?? null]);
  expect(view()).toEqual([
    ['one', false, 0],
    ['two', true, 1],
  ]);
  await lanes.bring(2);
  expect(view()).toEqual([
    ['one', false, null],
    ['two', true, null],
  ]);
});

it('keeps the last hundred lines after their segments are gone', async () => {
  const lanes = await open();
  for (let n = 0; n < 130; n++) {
    await lanes.hear(n * 2000 + 100, n * 2000 + 1900, `line ${n}`);
    await lanes.bring(1);
  }
  const { lines } = lanes.lane;
  expect(lines.at(-1)?.text).toBe('line 129');
  expect(lines[0]?.text).toBe('line 19');
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});
