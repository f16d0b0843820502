import { expect, it } from 'vitest';
import { Live } from '../fixtures/live.fixture.ts';
import { switchWords } from '../fixtures/program-words.fixture.ts';
import { report } from '../fixtures/record.fixture.ts';

it('subtitles stay on their words while a program is switched again and again', async () => {
  const live = await Live.start();
  try {
    const seen = await switchWords(live, 12);
    report(seen);
    expect([seen.recordings, seen.early]).toEqual([1, []]);
    expect(seen.offsets.length).toBeGreaterThanOrEqual(5);
  } finally {
    await live.close();
  }
});
