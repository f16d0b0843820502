import type { Room } from '@weir/contract';
import { createLog } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import { type Ai, AiError, type TranscribeAsk } from '../../ai/ai.ts';
import { writeWav } from '../../ai/wav.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { InterimPace } from '../../speech/interim/interim-pace.ts';
import { UtteranceRecogniser } from './guest-speech.ts';
import { guestFailure } from './talk-access.ts';

const room = { aiAsrLanguage: 'en', aiMaxWaitSeconds: 30 } as Room;
const { signal } = new AbortController();
const seconds = (n: number) => Buffer.from(writeWav(Buffer.alloc(32_000 * n, 'hum'))).toString('base64');

/** Built-in AI that answers when it is told to. */
function open() {
  const clock = new FakeClock('2026-03-01');
  const pace = new InterimPace(clock);
  const asks: { ask: TranscribeAsk; answer: PromiseWithResolvers<string> }[] = [];
  const ai = {
    describe: async () => ({ by: 'built-in' }),
    transcribe: async (ask: TranscribeAsk) => {
      const answer = Promise.withResolvers<string>();
      asks.push({ ask, answer });
      return { text: await answer.promise };
    },
  } as unknown as Ai;
  const recogniser = new UtteranceRecogniser({ ai, directory: '/nowhere', clock, pace });
  const look = (audio: string) => recogniser.recogniseInterim({ audio, room, language: '', signal });
  return { recogniser, pace, asks, look, clock };
}

it.each([
  ['de-AT', 'de-AT'],
  ['', 'en'],
])('a guest who speaks %j is told that nothing here understands %s', (language, fact) => {
  const where = { conversation: { end: new AbortController() }, user: { language, gone: new AbortController() }, room };
  const error = new AiError('unsupported-language', 'built-in AI does not support this language');
  const told = guestFailure(createLog('test', 'error'), error, where as unknown as Parameters<typeof guestFailure>[2]);
  expect(told).toMatchObject({ kind: 'invalid_input', why: { kind: 'language', fact } });
  expect(told.message).toContain('please type');
});

describe('interim recognition of an utterance', () => {
  it('is made from our own recordings of some length only', async () => {
    const { look, asks } = open();
    const looking = look(seconds(2));
    expect(asks[0]?.ask).toMatchObject({ seconds: 2, language: 'en', feature: 'rooms' });
    asks[0]?.answer.resolve('  what is the ');
    expect(await looking).toBe('what is the');
    for (const audio of [seconds(0.2), Buffer.from('OggS something').toString('base64'), ''])
      expect(await look(audio)).toBe('');
    expect(asks).toHaveLength(1);
    // Only the end of long speech is sent.
    const long = look(seconds(40));
    expect(asks[1]?.ask).toMatchObject({ seconds: 15 });
    expect(asks[1]?.ask.audio.length).toBeLessThan(16 * 32_000);
    asks[1]?.answer.resolve('later');
    expect(await long).toBe('later');
  });

  it('never queues, and delays no other request', async () => {
    const { look, recogniser, asks, pace } = open();
    const whole = recogniser.recognise({
      audio: seconds(2),
      room,
      language: 'en',
      signal,
      before: '',
      onSeconds: () => undefined,
    });
    while (asks.length === 0) await Promise.resolve();
    // A final recognition is waiting.
    expect(await look(seconds(2))).toBe('');
    asks[0]?.answer.resolve('what is the time?');
    expect(await whole).toBe('what is the time?');
    const first = look(seconds(2));
    expect(await look(seconds(2))).toBe('');
    asks[1]?.answer.reject(new Error('broken'));
    expect(await first).toBe('');
    expect([asks.length, pace.isFree]).toEqual([2, false]);
  });
});
