import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AiProvider } from '../../../../tests/ai-provider.fixture.ts';
import { createTestAi } from './ai.fixture.ts';

let provider: AiProvider;
beforeAll(async () => {
  provider = await AiProvider.start();
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { mood: 'well', key: '', skills: ['speech', 'chat', 'vision', 'voice'], mostAtOnce: 0 });
  provider.asked.length = 0;
});

/** Never: the patience of a test is that of its runner. */
const { signal } = new AbortController();
const base = { feature: 'transcript', signal } as const;
const speech = { ...base, audio: Buffer.from('sound'), seconds: 2.0625, language: 'en', prompt: 'before' };
const question = { ...base, messages: [{ role: 'user', content: 'Hello?' }] } as const;
const all = async (pieces: AsyncIterable<string>) => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};

/** With the provider as the global one. */
async function withGlobal() {
  const test = createTestAi();
  await test.setGlobal(provider.baseURL, 'sk-0123456789abcdef', 'org-1');
  return test;
}

describe('AI requests of the four kinds', () => {
  it('go to the global provider with its key and organization', async () => {
    provider.key = 'sk-0123456789abcdef';
    const { ai } = await withGlobal();
    expect(await ai.transcribe(speech)).toEqual({
      text: 'good evening everybody',
      language: 'english',
      seconds: 1,
      segments: [{ start: 0, end: 1, text: 'good evening everybody' }],
    });
    expect(await all(ai.chat(question))).toBe('Hello from the provider');
    expect(await ai.see({ ...question, image: Buffer.from('jpeg'), prompt: 'read' })).toBe('WEIR 42');
    expect(Buffer.from(await ai.speak({ ...base, text: 'hi', format: 'aac' })).toString()).toBe('RIFF....WAVE');
    expect(new Set(provider.asked.map(({ organization }) => organization))).toEqual(new Set(['org-1']));
    const [heard, , , spoken] = provider.asked.map(({ body }) => body.toString());
    for (const [name, value] of [
      ['model', 'whisper-1'],
      ['response_format', 'verbose_json'],
      ['language', 'en'],
      ['prompt', 'before'],
    ])
      expect(heard).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
    expect(JSON.parse(spoken ?? '')).toEqual({ model: 'tts-1', input: 'hi', voice: 'nova', response_format: 'aac' });
  });

  it('use the model of the caller, then the one of the owner, then the default', async () => {
    const { ai, models } = await withGlobal();
    const asked = async (more: object) => {
      await all(ai.chat({ ...question, ...more }));
      return JSON.parse(provider.asked.at(-1)?.body.toString() ?? '').model;
    };
    expect(await asked({})).toBe('gpt-4o');
    expect(await asked({ feature: 'rooms' })).toBe('gpt-3.5-turbo');
    await models.put({ transcribe: '', chat: 'llama3', see: '', speak: '', voice: '' });
    expect(await asked({ feature: 'rooms' })).toBe('llama3');
    expect(await asked({ model: 'mine' })).toBe('mine');
  });

  it('are adapted for a model without system messages or streaming', async () => {
    const { ai } = await withGlobal();
    const messages = [{ role: 'system', content: 'be brief' }, ...question.messages] as const;
    const said = ai.chat({ ...question, model: 'o1-mini', messages, maxTokens: 9, temperature: 1 });
    expect(await all(said)).toBe('Hello from the provider');
    expect(JSON.parse(provider.asked[0]?.body.toString() ?? '')).toEqual({
      model: 'o1-mini',
      messages: [
        { role: 'user', content: 'be brief' },
        { role: 'user', content: 'Hello?' },
      ],
    });
  });
});

describe('provider selection', () => {
  it('uses the provider that the caller names, else the global one, and accepts the mask of its key', async () => {
    const { ai, setGlobal } = await withGlobal();
    await setGlobal('http://127.0.0.1:1/v1');
    const choice = { secretKey: 'sk-own', baseURL: provider.baseURL, organization: '' };
    await ai.transcribe({ ...speech, provider: choice });
    await setGlobal(provider.baseURL);
    await ai.transcribe({ ...speech, provider: { ...choice, secretKey: '••••••••cdef' } });
    await ai.transcribe({ ...speech, provider: { secretKey: '', baseURL: '', organization: '' } });
    expect(provider.asked.map(({ key }) => key)).toEqual(['sk-own', 'sk-0123456789abcdef', 'sk-0123456789abcdef']);
    expect(await ai.describe('chat', choice)).toEqual({ by: 'provider', host: provider.host, cause: null });
  });

  it('finds no provider when none is set and built-in AI is not installed', async () => {
    const { ai } = createTestAi();
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'no-provider', canRetry: false });
    expect(await ai.describe('transcribe')).toEqual({ by: 'nobody', host: '', cause: 'no-provider' });
  });

  it('does not send the key of one host to another host when the mask is given', async () => {
    const { ai, setGlobal } = await withGlobal();
    await setGlobal('http://127.0.0.1:1/v1');
    const provided = { secretKey: '••••••••cdef', baseURL: provider.baseURL, organization: '' };
    await expect(ai.transcribe({ ...speech, provider: provided })).rejects.toMatchObject({ cause: 'bad-key' });
    expect(provider.asked).toEqual([]);
  });

  it('hides the key in everything that is logged', async () => {
    const { ai, hidden } = await withGlobal();
    await ai.transcribe(speech);
    expect(hidden.hide('it says sk-0123456789abcdef')).toBe('it says [hidden]');
  });
});

describe('a failing AI provider', () => {
  it.each([
    ['fails', 'provider-error', true, 3],
    ['garbage', 'bad-answer', true, 3],
    ['wrong-types', 'bad-answer', true, 3],
    ['huge', 'bad-answer', true, 3],
    ['cut', 'unreachable', true, 3],
    ['no-quota', 'quota', false, 1],
  ] as const)('that answers "%s" fails with %s for speech, images and voices', async (mood, cause, canRetry, tries) => {
    provider.mood = mood;
    const { ai } = await withGlobal();
    const asked = await Promise.allSettled([
      ai.transcribe(speech),
      ai.see({ ...question, image: Buffer.from('x'), prompt: 'read' }),
      ai.speak({ ...base, text: 'hi', format: 'wav' }),
    ]);
    for (const answer of asked) {
      const failure = answer.status === 'rejected' ? answer.reason : answer.value;
      expect(failure).toMatchObject({ cause, canRetry });
      expect(String(failure)).not.toContain('sk-');
    }
    expect(provider.asked).toHaveLength(asked.length * tries);
  });

  it.each(['garbage', 'wrong-types', 'huge', 'endless', 'cut', 'fails', 'no-quota'] as const)(
    'that answers "%s" ends a chat with a cause',
    async (mood) => {
      provider.mood = mood;
      const { ai } = await withGlobal();
      await expect(all(ai.chat(question))).rejects.toMatchObject({
        cause: expect.stringMatching(/bad-answer|unreachable|provider-error|quota/),
      });
    },
  );

  it('is retried when every third call fails, without the caller noticing', async () => {
    provider.mood = 'fails-every-third';
    const { ai, meter } = await withGlobal();
    for (let n = 0; n < 6; n++) expect((await ai.transcribe(speech)).text).toBe('good evening everybody');
    const { rows } = await meter.today();
    expect(rows).toMatchObject([{ calls: provider.asked.length, errors: provider.asked.length - 6 }]);
  });

  it('is not called for as long as its Retry-After says', async () => {
    provider.mood = 'busy';
    const { ai } = await withGlobal();
    const began = performance.now();
    const asked = ai.transcribe(speech);
    await expect.poll(() => provider.asked.length).toBe(1);
    provider.mood = 'well';
    expect((await asked).text).toBe('good evening everybody');
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it('is not retried when it rejects the key or lacks the model', async () => {
    provider.key = 'another';
    const { ai } = await withGlobal();
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'bad-key', canRetry: false });
    Object.assign(provider, { key: '', skills: [] });
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'no-model', canRetry: false });
    expect(provider.asked).toHaveLength(2);
  });

  it('that never answers is abandoned when no caller waits any more', async () => {
    provider.mood = 'silent';
    const { ai } = await withGlobal();
    const stop = new AbortController();
    const asked = [
      ai.transcribe({ ...speech, signal: stop.signal }),
      all(ai.chat({ ...question, signal: stop.signal })),
    ];
    await expect.poll(() => provider.asked.length).toBe(2);
    stop.abort();
    for (const one of asked) await expect(one).rejects.toMatchObject({ cause: 'stopped' });
  });

  it('that was unreachable is used again when it is back', async () => {
    const { ai } = await withGlobal();
    await provider.disappear();
    const asked = ai.transcribe(speech);
    await provider.comeBack();
    expect((await asked).text).toBe('good evening everybody');
  });
});

it('sends one provider at most four calls at a time, and refuses calls that would wait too long', async () => {
  Object.assign(provider, { mood: 'slow', slowMs: 50 });
  const { ai } = await withGlobal();
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => ai.transcribe(speech)));
  // Refused calls are retried after a pause and find a slot.
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(36);
  expect(provider.mostAtOnce).toBe(4);
});
