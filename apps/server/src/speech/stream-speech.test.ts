import { describe, expect, it } from 'vitest';
import { AiError, type TranscribeAsk } from '../ai/ai.ts';
import { FakeClock } from '../core/clock.fixture.ts';
import type { Heard } from './cue.ts';
import { EnergyDetector } from './energy-detector.ts';
import { InterimPace } from './interim/interim-pace.ts';
import { HeardSpans } from './missed/heard-spans.ts';
import { StreamSpeech } from './stream-speech.ts';
import { voice } from './voice.fixture.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const pieceMs = 50;

function listening(
  answer: (ask: TranscribeAsk, n: number) => string | Promise<string> = (_ask, n) => `utterance number ${n}`,
  spans = new HeardSpans(),
) {
  const heard: Heard[] = [];
  let calls = 0;
  const clock = new FakeClock();
  const speech = new StreamSpeech(
    {
      clock,
      activity: (listener) => new EnergyDetector(listener),
      ask: () => ({ provider: { secretKey: '', baseURL: '', organization: '' }, language: 'en' }),
      ai: {
        transcribe: async (ask) => {
          const text = await answer(ask, ++calls);
          return { text, language: 'en', seconds: ask.seconds, segments: [{ start: 0, end: ask.seconds, text }] };
        },
        describe: async () => ({ by: 'built-in', host: '', cause: null }),
      },
      heard: spans,
      pace: new InterimPace(clock),
      onHeard: (one) => heard.push(one),
    },
    'first',
  );
  const first = speech.signal();
  /** Returns where it ends. */
  const play = (fromMs: number, pcm: Buffer, push = first) => {
    for (let at = 0; at < pcm.length; at += pieceMs * 32) {
      push({ atMs: fromMs + at / 32, pcm: pcm.subarray(at, at + pieceMs * 32) });
    }
    return fromMs + pcm.length / 32;
  };
  return { speech, clock, heard, play };
}
const spoken = () =>
  voice([
    { seconds: 1, isLoud: false },
    { seconds: 2, isLoud: true },
    { seconds: 1, isLoud: false },
  ]);

describe('StreamSpeech', () => {
  it('puts cues where they were spoken on the clock of the stream', async () => {
    const { speech, heard, play } = listening();
    play(7_000_000, spoken());
    await turn();
    const [cue] = heard[0]?.cues ?? [];
    expect(cue?.text).toBe('utterance number 1');
    expect(Math.abs((cue?.startMs ?? 0) - 7_001_000)).toBeLessThan(150);
    expect(Math.abs((cue?.endMs ?? 0) - 7_003_000)).toBeLessThan(250);
    expect(speech.knownUntilMs).toBeGreaterThan(7_003_400);
  });

  it('reports text that was recognised late at its own time', async () => {
    const { speech, clock, heard, play } = listening((_ask, n) => {
      if (n === 1) throw new AiError('unreachable', 'nobody is there');
      return `utterance number ${n}`;
    });
    play(play(0, spoken()), spoken());
    await turn();
    clock.pass(2000);
    await turn();
    const seen = heard.map(({ startMs, cues, isLate }) => [startMs < 4000, cues.map(({ text }) => text), isLate]);
    expect(seen).toEqual([
      [true, [], undefined],
      [false, ['utterance number 2'], undefined],
      [true, ['utterance number 3'], true],
    ]);
    expect([heard[2]?.startMs, speech.facts.failed]).toEqual([heard[0]?.startMs, 0]);
  });

  it('reports nothing as known beyond an utterance whose text is pending', async () => {
    const { speech, play } = listening();
    expect(speech.knownUntilMs).toBeUndefined();
    play(0, spoken());
    expect(speech.knownUntilMs).toBeLessThan(1000);
    await turn();
    expect(speech.knownUntilMs).toBeGreaterThan(3000);
  });

  it('carries nothing from one publisher to the next', async () => {
    const prompts: (string | undefined)[] = [];
    const { speech, heard, play } = listening((ask, n) => {
      prompts.push(ask.prompt);
      return `utterance number ${n}`;
    });
    const end = play(
      0,
      voice([
        { seconds: 1, isLoud: false },
        { seconds: 2, isLoud: true },
      ]),
    );
    speech.begin('second');
    // Remaining output of the first reader.
    play(end, voice([{ seconds: 0.5, isLoud: true }]));
    const second = speech.signal();
    play(end + 500, spoken(), second);
    play(end + 4500, spoken());
    await turn();
    expect(heard.map(({ epoch, startMs }) => [epoch, Math.round(startMs / 1000)])).toEqual([
      ['first', 1],
      ['second', 4],
    ]);
    expect(heard[0]?.endMs).toBe(end + 500);
    expect(prompts).toEqual([undefined, undefined]);
  });

  it('gives the next publisher its words also when the last ones of the previous are recognised later', async () => {
    const last = Promise.withResolvers<string>();
    const { speech, heard, play } = listening((_ask, n) => (n === 1 ? last.promise : `utterance number ${n}`));
    play(100_000, spoken());
    speech.begin('second');
    const second = speech.signal();
    last.resolve('the last words of the first');
    await turn();
    play(0, spoken(), second);
    await turn();
    expect(heard.map(({ epoch, cues }) => [epoch, ...cues.map(({ text }) => text)])).toEqual([
      ['first', 'the last words of the first'],
      ['second', 'utterance number 2'],
    ]);
  });

  it('recognises the next publisher also when the reading program keeps running', async () => {
    const { speech, clock, heard, play } = listening();
    let end = play(0, spoken());
    speech.begin('second');
    speech.begin('second');
    clock.pass(1000);
    end = play(end, spoken());
    speech.begin('third');
    play(end + 5000, spoken());
    await turn();
    expect(heard.map(({ epoch }) => epoch)).toEqual(['first', 'second', 'third']);
  });

  it('continues after a gap, with the times of the new audio', async () => {
    const { speech, heard, play } = listening();
    play(0, spoken());
    play(60_000, spoken());
    await turn();
    expect(heard.map(({ startMs }) => Math.round(startMs / 1000))).toEqual([1, 61]);
    expect(speech.facts).toMatchObject({ dropped: 0, failed: 0, cause: undefined });
  });

  it('makes no cue from text that cannot have been said, nor the same one twice', async () => {
    const texts = ['[Music]', 'so so so so so so so so so so so so so', 'Good evening everybody.'];
    const { heard, play } = listening((_ask, n) => texts[n - 1] ?? '');
    for (const at of [0, 4000, 8000, 12_000]) play(at, spoken());
    await turn();
    expect(heard.map(({ cues }) => cues.length)).toEqual([0, 0, 1, 0]);
  });

  it('recognises the open utterance when a stream ends, and then reports all as known', async () => {
    const { speech, clock, heard, play } = listening();
    const end = play(
      0,
      voice([
        { seconds: 1, isLoud: false },
        { seconds: 2, isLoud: true },
      ]),
    );
    speech.finish();
    play(end, voice([{ seconds: 0.3, isLoud: true }]));
    expect(speech.knownUntilMs).toBeLessThan(1000);
    clock.pass(3000);
    await turn();
    play(end + 300, spoken());
    await turn();
    expect(heard[0]?.endMs).toBe(end + 300);
    expect([heard.length, speech.knownUntilMs]).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  it('recognises nothing twice: neither what a reader gets again when it joins, nor audio of the previous process', async () => {
    const spans = new HeardSpans();
    spans.add('first', { fromMs: 0, toMs: 3500 });
    const { speech, heard, play } = listening(undefined, spans);
    const end = play(0, spoken());
    await turn();
    expect(heard).toEqual([]);
    play(end, spoken());
    await turn();
    expect(heard.map(({ startMs }) => Math.round(startMs / 1000))).toEqual([5]);
    // A new reader starts with the last seconds again.
    play(end, spoken(), speech.signal());
    await turn();
    expect([heard.length, spans.has('first', { fromMs: 0, toMs: end + 4000 })]).toEqual([1, true]);
  });
});
