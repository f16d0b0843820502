import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import type { AudioBlock } from '../audio-blocks.ts';
import type { Heard } from '../cue.ts';
import { EnergyDetector } from '../energy-detector.ts';
import { InterimPace } from '../interim/interim-pace.ts';
import { StreamSpeech } from '../stream-speech.ts';
import { voice } from '../voice.fixture.ts';
import { HeardSpans } from './heard-spans.ts';
import { MissedSpeech, type SoundSegment } from './missed-speech.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const pieceMs = 50;
const segmentMs = 2000;

/** Speech in the last two of every four seconds. */
const film = voice(
  [0, 1, 2, 3, 4].flatMap(() => [
    { seconds: 2, isLoud: false },
    { seconds: 1.5, isLoud: true },
    { seconds: 0.5, isLoud: false },
  ]),
);

const segment = (n: number, epoch = 'first'): SoundSegment => ({
  id: `${epoch}-${n}`,
  epoch,
  startMs: n * segmentMs,
  endMs: (n + 1) * segmentMs,
  vhost: 'v',
  app: 'live',
  stream: 'show',
});

function soundOf({ startMs, endMs }: SoundSegment): AudioBlock[] {
  const blocks: AudioBlock[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += pieceMs)
    blocks.push({ atMs, pcm: film.subarray(atMs * 32, (atMs + pieceMs) * 32) });
  return blocks;
}

function catchingUp(transcribe = async () => 'something was said') {
  const [heard, read]: [Heard[], string[]] = [[], []];
  const spans = new HeardSpans();
  const clock = new FakeClock();
  const missed = new MissedSpeech<SoundSegment>({
    heard: spans,
    clock,
    async read(one) {
      read.push(one.id);
      if (one.id === 'broken') throw new Error('no sound');
      return soundOf(one);
    },
    listen: (onHeard) =>
      new StreamSpeech(
        {
          clock,
          onHeard,
          pace: new InterimPace(clock),
          activity: (listener) => new EnergyDetector(listener),
          ask: () => ({ provider: { secretKey: '', baseURL: '', organization: '' }, language: 'en' }),
          ai: {
            transcribe: async ({ seconds }) => ({
              text: await transcribe(),
              language: 'en',
              seconds,
              segments: [],
            }),
            describe: async () => ({ by: 'built-in', host: '', cause: null }),
          },
        },
        '',
      ),
    onHeard: (one) => heard.push(one),
  });
  const look = async (segments: SoundSegment[], live?: { epoch: string; untilMs: number }) => {
    for (let n = 0; n < 20; n++) {
      missed.look(segments, live);
      await turn();
    }
  };
  return { missed, spans, clock, heard, read, look };
}

describe('speech missed while the recogniser was away', () => {
  it('is read from the segments, up to where recognition runs, without a cut between them', async () => {
    const { missed, spans, heard, read, look } = catchingUp();
    spans.add('first', { fromMs: 7000, toMs: 9000 });
    const segments = [0, 1, 2, 3, 4].map((n) => segment(n));
    await look(segments, { epoch: 'first', untilMs: 9000 });
    expect(read).toEqual(['first-0', 'first-1', 'first-2', 'first-3']);
    expect(heard.map(({ startMs, endMs }) => [startMs, endMs].map((ms) => Math.round(ms / 100)))).toEqual([
      [18, 36],
      [58, 70],
    ]);
    expect(segments.map((one) => missed.isDone(one))).toEqual([true, true, true, true, true]);
    // No segment is read again.
    await look(segments, { epoch: 'first', untilMs: 9000 });
    expect([read.length, heard.length]).toEqual([4, 2]);
  });

  it('is empty where recognition runs from the beginning, however late', async () => {
    const { missed, spans, read, look } = catchingUp();
    spans.add('first', { fromMs: 0, toMs: 1000 });
    await look([segment(0), segment(1)], { epoch: 'first', untilMs: 1000 });
    expect([read, missed.isDone(segment(1))]).toEqual([[], true]);
  });

  it('delays a segment until it is recognised, or nothing can follow', async () => {
    let answer = (_text: string) => {};
    const { missed, clock, look } = catchingUp(() => new Promise((resolve) => (answer = resolve)));
    missed.look([segment(0), segment(1)], undefined);
    expect([missed.isDone(segment(0)), missed.isDone(segment(1))]).toEqual([false, false]);
    await look([segment(0), segment(1)]);
    // The end of the second segment may belong to the next utterance, and the first utterance has no text.
    expect([missed.isDone(segment(0)), missed.isDone(segment(1))]).toEqual([false, false]);
    answer('good evening');
    clock.pass(5000);
    await look([segment(0), segment(1)]);
    expect([missed.isDone(segment(0)), missed.isDone(segment(1))]).toEqual([true, true]);
  });

  it('is requested a few utterances at a time, from all that waited on the disk', async () => {
    let asked = 0;
    const answers: (() => void)[] = [];
    const { missed, heard, look } = catchingUp(() => {
      asked++;
      return new Promise((resolve) => answers.push(() => resolve('something was said')));
    });
    const segments = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => segment(n));
    await look(segments);
    expect(asked).toBe(3);
    while (answers.length > 0) {
      answers.shift()?.();
      await look(segments);
    }
    expect([asked, heard.length, missed.facts.dropped]).toEqual([5, 5, 0]);
  });

  it('starts again with another publisher, and skips a segment that cannot be read', async () => {
    const { spans, heard, look } = catchingUp();
    await look([segment(0), { ...segment(1), id: 'broken' }, segment(3), segment(1, 'second')]);
    spans.add('second', { fromMs: 4000, toMs: 5000 });
    await look([]);
    expect(heard.map(({ epoch, startMs }) => [epoch, Math.round(startMs / 1000)])).toEqual([
      ['first', 6],
      ['second', 2],
    ]);
  });
});
