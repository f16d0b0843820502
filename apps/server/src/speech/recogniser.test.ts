import { describe, expect, it } from 'vitest';
import { AiError, type TranscribeAsk, type Transcription } from '../ai/ai.ts';
import { FakeClock } from '../core/clock.fixture.ts';
import { InterimPace } from './interim/interim-pace.ts';
import { Recogniser } from './recogniser.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const utterance = (n: number) => ({
  epoch: 'e',
  startMs: n * 1000,
  spokenFromMs: n * 1000,
  endMs: n * 1000 + 900,
  pcm: Buffer.alloc(28_800, n),
});
const said = (text: string): Transcription => ({ text, language: 'en', seconds: 0.9, segments: [] });

/** A recogniser whose provider answers when the test says so. */
function asked() {
  const clock = new FakeClock();
  const calls: { ask: TranscribeAsk; answer: (text: string) => void; fail: (error: unknown) => void }[] = [];
  const heard: string[] = [];
  const recogniser = new Recogniser({
    clock,
    ai: {
      transcribe: (ask) =>
        new Promise((resolve, reject) => {
          calls.push({ ask, answer: (text) => resolve(said(text)), fail: reject });
        }),
    },
    ask: () => ({ provider: { secretKey: '', baseURL: '', organization: '' }, language: 'en' }),
    pace: new InterimPace(clock),
    onAnswer: ({ startMs }, answer) => {
      heard.push(`${startMs / 1000}:${answer?.text ?? '-'}`);
      return answer?.text ?? '';
    },
    onLate: ({ startMs }, answer) => heard.push(`${startMs / 1000}:late ${answer.text}`),
  });
  return { clock, calls, heard, recogniser };
}

describe('Recogniser', () => {
  it('requests a few at a time, and returns answers in the order of speech', async () => {
    const { calls, heard, recogniser } = asked();
    for (const n of [1, 2, 3, 4, 5]) recogniser.add(utterance(n));
    expect(calls).toHaveLength(3);
    calls[2]?.answer('three');
    calls[1]?.answer('two');
    await turn();
    expect(heard).toEqual([]);
    expect(recogniser.pendingFromMs).toBe(1000);
    calls[0]?.answer('one');
    await turn();
    expect(heard).toEqual(['1:one', '2:two', '3:three']);
    expect(calls).toHaveLength(5);
    expect(recogniser.pendingFromMs).toBe(4000);
  });

  it('sends the text before as context, and the audio as a file', async () => {
    const { calls, recogniser } = asked();
    recogniser.add(utterance(1));
    expect(calls[0]?.ask.prompt).toBeUndefined();
    expect(Buffer.from(calls[0]?.ask.audio ?? []).toString('latin1', 0, 4)).toBe('RIFF');
    calls[0]?.answer('hello there');
    await turn();
    recogniser.add(utterance(2));
    expect(calls[1]?.ask.prompt).toBe('hello there');
    recogniser.forget();
    recogniser.add(utterance(3));
    expect(calls[2]?.ask.prompt).toBeUndefined();
  });

  it('continues without an answer, reports why, and clears that with the next one', async () => {
    const { calls, heard, recogniser } = asked();
    recogniser.add(utterance(1));
    calls[0]?.fail(new AiError('provider-error', 'it failed'));
    await turn();
    expect([calls.length, heard]).toEqual([1, ['1:-']]);
    expect(recogniser.facts).toEqual({ dropped: 0, failed: 1, cause: 'provider-error' });
    recogniser.add(utterance(2));
    calls[1]?.answer('back');
    await turn();
    expect(heard).toEqual(['1:-', '2:back']);
    expect(recogniser.facts).toEqual({ dropped: 0, failed: 1, cause: undefined });
  });

  it('does not wait for a provider that never answers, even when it ignores the abort signal', async () => {
    const { clock, calls, heard, recogniser } = asked();
    recogniser.add(utterance(1));
    clock.pass(19_000);
    await turn();
    expect(heard).toEqual([]);
    clock.pass(2000);
    await turn();
    expect([heard, calls[0]?.ask.signal.aborted, recogniser.facts.cause]).toEqual([['1:-'], true, 'timeout']);
  });

  it('drops the oldest waiting utterance, and counts it', async () => {
    const { calls, heard, recogniser } = asked();
    for (let n = 1; n <= 9; n++) recogniser.add(utterance(n));
    expect([calls.length, recogniser.facts.dropped]).toEqual([3, 2]);
    for (let n = 0; n < 7; n++) {
      calls[n]?.answer('x');
      await turn();
    }
    expect(heard).toEqual(['1:x', '2:x', '3:x', '4:-', '5:-', '6:x', '7:x', '8:x', '9:x']);
  });

  it('requests again what failed while the provider was away, when nothing else waits', async () => {
    const { clock, calls, heard, recogniser } = asked();
    for (const n of [1, 2]) {
      recogniser.add(utterance(n));
      calls.at(-1)?.fail(new AiError('unreachable', 'nobody is there'));
      await turn();
    }
    recogniser.add(utterance(3));
    calls[2]?.fail(new AiError('bad-key', 'never will'));
    await turn();
    expect([heard, recogniser.facts.failed]).toEqual([['1:-', '2:-', '3:-'], 3]);
    clock.pass(2000);
    await turn();
    calls[3]?.fail(new AiError('timeout', 'still nobody'));
    await turn();
    recogniser.add(utterance(4));
    clock.pass(4000);
    await turn();
    // Current speech takes precedence.
    expect(calls).toHaveLength(5);
    calls[4]?.answer('four');
    await turn();
    for (const [call, text] of [
      [5, 'one'],
      [6, 'two'],
    ] as const) {
      clock.pass(2000);
      await turn();
      calls[call]?.answer(text);
      await turn();
    }
    clock.pass(60_000);
    await turn();
    expect(heard.slice(3)).toEqual(['4:four', '1:late one', '2:late two']);
    expect([calls.length, recogniser.facts]).toEqual([7, { dropped: 0, failed: 1, cause: undefined }]);
  });

  it('keeps a bounded number of unanswered utterances, each for a limited time', async () => {
    const { clock, calls, recogniser } = asked();
    for (let n = 1; n <= 40; n++) {
      recogniser.add(utterance(n));
      calls.at(-1)?.fail(new AiError('unreachable', 'nobody is there'));
      await turn();
    }
    clock.pass(2000);
    await turn();
    expect(Buffer.from(calls[40]?.ask.audio ?? []).at(-1)).toBe(17);
    calls[40]?.fail(new AiError('unreachable', 'nobody is there'));
    await turn();
    clock.pass(200_000);
    await turn();
    expect([calls.length, recogniser.facts.failed]).toEqual([41, 40]);
  });

  it('reports nothing once it is closed', async () => {
    const { calls, heard, recogniser } = asked();
    recogniser.add(utterance(1));
    recogniser.close();
    expect(calls[0]?.ask.signal.aborted).toBe(true);
    calls[0]?.answer('late');
    await turn();
    expect(heard).toEqual([]);
  });
});
