// Checks that subtitles stay on their words while a program is switched many times:
//   node bench/program-words.ts [switches]       100 unless told, two and a half seconds apart
// A synthetic voice on two encoders, each at another place of its text, and a provider that answers where it hears a voice. Needs ffmpeg.
import process from 'node:process';
import { Live } from '../tests/media/fixtures/live.fixture.ts';
import { switchWords } from '../tests/media/fixtures/program-words.fixture.ts';
import { BenchResult } from './results.ts';

const switches = Number(process.argv[2] ?? 100);
const result = new BenchResult('program-words', { isQuick: switches < 50 });
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const ms = (seconds: number) => Math.round(seconds * 1000);
const live = await Live.start();
try {
  const { offsets, early, ...seen } = await switchWords(live, switches);
  const third = Math.ceil(offsets.length / 3);
  result.add({
    switches,
    ...seen,
    inSilence: early.length,
    afterSilence: offsets.length,
    offsetMs: {
      first: ms(median(offsets.slice(0, third))),
      last: ms(median(offsets.slice(-third))),
      worst: ms(Math.max(...offsets.map(Math.abs))),
    },
  });
} finally {
  await live.close();
}
process.exit(0);
