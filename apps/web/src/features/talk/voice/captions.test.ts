import { expect, it, vi } from 'vitest';
import { Captions } from './captions.ts';
import type { OpenSpeech } from './voice-types.ts';

type Answer = Awaited<ReturnType<ConstructorParameters<typeof Captions>[0]['hear']>>;

/** Manually controlled server. */
function listening() {
  const asked: { audio: string; moment: string; signal: AbortSignal; answer: PromiseWithResolvers<Answer> }[] = [];
  const transcribed: [audio: string, isUnderstood: boolean][] = [];
  let ms = 0;
  const captions = new Captions({
    hear: (audio, moment, signal) => {
      const answer = Promise.withResolvers<Answer>();
      asked.push({ audio, moment, signal, answer });
      return answer.promise;
    },
    markTranscribed: (speech, isUnderstood) => transcribed.push([speech.audio(), isUnderstood]),
    nowMs: () => ms,
  });
  const look = (audio: string, { isPause = false, seconds = 2 } = {}) => {
    const speech: OpenSpeech = {
      utterance: 1,
      frames: 100,
      seconds,
      isPause,
      audio: (most) => audio + (most ? `, at most ${most} s` : ''),
    };
    captions.request(speech);
  };
  /** Answers the latest request and waits until it is processed. */
  const answer = async (text: string, more: Partial<Answer> = {}) => {
    asked.at(-1)?.answer.resolve({ text, isFinal: false, canLook: true, ...more });
    await vi.waitFor(() => Promise.resolve());
    await Promise.resolve();
  };
  const pass = (by: number) => {
    ms += by;
  };
  return { captions, asked, transcribed, look, answer, pass };
}

it('updates captions during speech, one request at a time, and restarts with the next utterance', async () => {
  const { captions, asked, look, answer } = listening();
  look('1 s');
  look('2 s');
  expect(asked.map(({ audio, moment }) => [audio, moment])).toEqual([['1 s, at most 15 s', 'speaking']]);
  await answer('what is');
  expect(captions.view()).toBe('what is');
  look('3 s');
  // An empty answer of a busy server keeps the caption.
  await answer('');
  expect(captions.view()).toBe('what is');
  look('4 s');
  await answer('what is the weather');
  expect(captions.view()).toBe('what is the weather');
  look('5 s');
  expect(captions.finish()).toEqual({ heard: '', caption: 'what is the weather' });
  expect(asked.at(-1)?.signal.aborted).toBe(true);
  await answer('too late');
  expect(captions.view()).toBe('');
});

it('requests only the speech after a pause or a long stretch and keeps the text before', async () => {
  const { captions, transcribed, look, answer } = listening();
  look('one', { isPause: true });
  await answer('The first sentence.');
  look('two', { seconds: 11 });
  await answer('the second without');
  look('three');
  await answer('any pause');
  expect(captions.view()).toBe('The first sentence. the second without any pause');
  expect(transcribed).toEqual([
    ['one', false],
    ['two', false],
  ]);
  expect(captions.finish().heard).toBe('');
});

it('requests captions only at pauses where they cost something, and drops recognized audio', async () => {
  const { captions, asked, transcribed, look, answer } = listening();
  look('1 s');
  await answer('', { canLook: false });
  look('2 s');
  expect(asked).toHaveLength(1);
  look('one', { isPause: true });
  await answer('今天天气', { isFinal: true, canLook: false });
  look('two', { isPause: true });
  await answer('怎么样？', { isFinal: true, canLook: false });
  expect(captions.view()).toBe('今天天气怎么样？');
  expect(transcribed).toEqual([
    ['one', true],
    ['two', true],
  ]);
  expect(captions.finish()).toEqual({ heard: '今天天气怎么样？', caption: '今天天气怎么样？' });
  // The language or the provider may have changed meanwhile.
  look('3 s');
  expect(asked).toHaveLength(4);
});

it('pauses captions after a failure, and prefers whole sentences', async () => {
  const { captions, asked, look, answer, pass } = listening();
  look('1 s');
  look('one', { isPause: true });
  expect(asked.map(({ moment, signal }) => [moment, signal.aborted])).toEqual([
    ['speaking', true],
    ['pausing', false],
  ]);
  asked.at(-1)?.answer.reject(new Error('broken'));
  await answer('');
  look('2 s');
  look('two', { isPause: true });
  expect(asked).toHaveLength(2);
  expect(captions.finish()).toEqual({ heard: '', caption: '' });
  pass(10_001);
  look('3 s');
  expect(asked).toHaveLength(3);
});
