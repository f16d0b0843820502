import { describe, expect, it } from 'vitest';
import { AiError, type TranscribeAsk } from '../../ai/ai.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import type { Cue, Heard } from '../cue.ts';
import { EnergyDetector } from '../energy-detector.ts';
import { StreamSpeech } from '../stream-speech.ts';
import { voice } from '../voice.fixture.ts';
import { InterimPace } from './interim-pace.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const sentence = 'We begin with the news of the day and then we talk about what comes next week in the city';
const words = sentence.split(' ');
/** Three words a second. */
const saidBy = (seconds: number) => words.slice(0, Math.floor(3 * seconds)).join(' ');

interface Wishes {
  readonly by?: 'built-in' | 'provider';
  readonly isRead?: boolean;
  readonly answer?: (ask: TranscribeAsk, n: number) => Promise<string>;
}

/** A stream whose sound comes at the pace of the clock; a recogniser that understands it, unless the test says otherwise. */
function listening({ by = 'built-in', isRead = true, answer = async ({ seconds }) => saidBy(seconds) }: Wishes = {}) {
  const clock = new FakeClock();
  const asked: number[] = [];
  const heard: Heard[] = [];
  const told: Cue[] = [];
  const speech = new StreamSpeech(
    {
      clock,
      activity: (listener) => new EnergyDetector(listener),
      ask: () => ({ provider: { secretKey: '', baseURL: '', organization: '' }, language: 'en' }),
      ai: {
        transcribe: async (ask) => {
          asked.push(ask.seconds);
          const text = await answer(ask, asked.length);
          return { text, language: 'en', seconds: ask.seconds, segments: [{ start: 0, end: ask.seconds, text }] };
        },
        describe: async () => ({ by, host: '', cause: null }),
      },
      pace: new InterimPace(clock),
      interim: { isRead: () => isRead, onInterim: (_epoch, pages) => told.push(...pages) },
      onHeard: (one) => heard.push(one),
    },
    'first',
  );
  const push = speech.signal();
  let atMs = 0;
  const play = async (seconds: number, isLoud: boolean) => {
    const pcm = voice([{ seconds, isLoud }]);
    for (let at = 0; at < pcm.length; at += 1600) {
      push({ atMs, pcm: pcm.subarray(at, at + 1600) });
      atMs += 50;
      clock.pass(50);
      await turn();
    }
  };
  return { speech, clock, asked, heard, told, play };
}

describe('interim text', () => {
  it('is shown during speech, and nothing of it moves when the utterance ends', async () => {
    const { asked, heard, told, play } = listening();
    await play(1, false);
    await play(4.5, true);
    expect(heard).toEqual([]);
    // After a second, and again with each second more; the first time there is nothing to agree with.
    expect(asked.map(Math.round)).toEqual([1, 2, 3, 4]);
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(saidBy(4)).toContain(told.at(-1)?.text.replaceAll('\n', ' ').split(' ').at(-1));
    const grown = told.filter(({ startMs }) => startMs === told[0]?.startMs);
    for (const [at, { text }] of grown.slice(1).entries()) expect(text.startsWith(grown[at]?.text ?? '-')).toBe(true);
    await play(1, false);
    expect(heard).toHaveLength(1);
    const final = heard[0]?.cues ?? [];
    for (const { startMs, text } of told) expect(final.find((cue) => cue.startMs === startMs)?.text).toContain(text);
    expect(told.every(({ text }) => text !== '')).toBe(true);
  });

  it('is not requested from a paid provider, nor without viewers', async () => {
    for (const wishes of [{ by: 'provider' }, { isRead: false }] as const) {
      const { asked, heard, told, play } = listening(wishes);
      await play(1, false);
      await play(4, true);
      expect([asked, told]).toEqual([[], []]);
      await play(1, false);
      expect(heard[0]?.cues.map(({ text }) => text.replaceAll('\n', ' ')).join(' ')).toBe(saidBy(asked[0] ?? 0));
    }
  });

  it('is requested once at a time, and late results are dropped', async () => {
    const late: ((text: string) => void)[] = [];
    const { asked, heard, told, play } = listening({
      answer: ({ seconds }, n) =>
        n === 1 ? new Promise((resolve) => late.push(resolve)) : Promise.resolve(saidBy(seconds)),
    });
    await play(1, false);
    await play(4, true);
    expect(asked).toHaveLength(1);
    await play(1, false);
    expect(heard).toHaveLength(1);
    late[0]?.('something else');
    await turn();
    expect([told, heard[0]?.cues.length]).toEqual([[], 1]);
  });

  it('fails silently, pauses for a while, and the utterance is recognised all the same', async () => {
    const { asked, heard, told, play } = listening({
      answer: async ({ seconds }, n) => {
        if (n === 1) throw new AiError('local-failed', 'it ended');
        return saidBy(seconds);
      },
    });
    await play(1, false);
    await play(5, true);
    expect([asked.length, told]).toEqual([1, []]);
    await play(1, false);
    expect(heard[0]?.cues.length).toBeGreaterThan(0);
    await play(9, false);
    await play(3, true);
    expect(told.length).toBeGreaterThan(0);
  });

  it('is withdrawn when the utterance turns out to be empty', async () => {
    const { heard, told, play } = listening({
      answer: async ({ seconds }, n) => (n <= 3 ? saidBy(seconds) : '[Music]'),
    });
    await play(1, false);
    await play(3.5, true);
    const shown = told.at(-1);
    expect(shown?.text).not.toBe('');
    await play(1, false);
    expect(heard[0]?.cues).toEqual([]);
    expect(told.at(-1)).toMatchObject({ startMs: shown?.startMs, text: '' });
  });

  it('leaves out text that cannot have been said', async () => {
    const { told, play } = listening({ answer: async () => 'so so so so so so so so so so so so so so so so' });
    await play(1, false);
    await play(4, true);
    expect(told).toEqual([]);
  });
});
