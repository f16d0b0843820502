import { expect, it } from 'vitest';
import { exampleStream } from './stream-key-draft.ts';

it.each([
  [['live/stage-*', 'live/show'], 'live/show'],
  [['live/stage-*'], 'live/stage-show'],
  [['live/*'], 'live/show'],
  [['studio/**'], 'studio/show'],
  [['**'], 'live/show'],
  [['live/[ab]'], 'live/show'],
])('names a stream for the URLs of a key for %j', (streams, example) => {
  expect(exampleStream(streams)).toBe(example);
});
