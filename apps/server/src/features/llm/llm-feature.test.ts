import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AiLimits } from '@weir/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { findProviders } from '../../ai/find-providers.ts';
import { createTestApp } from '../../app.fixture.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';

const key = 'sk-0123456789abcdef';
const mask = '••••••••cdef';
const api = '/terraform/v1/mgmt/openai';
const ai = '/terraform/v1/ai';
let server: Awaited<ReturnType<typeof createTestApp>>;
let bearer: Record<string, string>;
let provider: AiProvider;
/** Receiver that redirects or answers too much. */
const strange = createServer((request, response) => {
  if (request.url?.startsWith('/away')) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  else response.end(Buffer.alloc(2 * 1024 * 1024));
});
let elsewhere: string;

beforeAll(async () => {
  provider = await AiProvider.start();
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
  server = await createTestApp();
  bearer = { authorization: `Bearer ${(await server.setUp()).bearer}` };
});
afterAll(async () => {
  await server.close();
  await provider.close();
  strange.close();
});
beforeEach(() => {
  Object.assign(provider, { key, mood: 'well', skills: ['speech', 'chat', 'vision', 'voice'] });
  provider.asked.length = 0;
});

const post = (path: string, body: object = {}) => server.post(path, body, bearer);
const save = (fields: object) =>
  post(`${api}/update`, { aiSecretKey: key, aiBaseURL: provider.baseURL, aiOrganization: 'org', ...fields });
const check = (fields: object) =>
  post(`${ai}/transcript/check`, { secretKey: key, baseURL: provider.baseURL, ...fields });

describe('the AI provider', () => {
  it('is saved, and its key is never returned', async () => {
    expect((await post(`${api}/query`)).data).toEqual({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' });
    expect((await save({})).code).toBe(0);
    expect((await post(`${api}/query`)).data).toEqual({
      aiSecretKey: mask,
      aiBaseURL: provider.baseURL,
      aiOrganization: 'org',
    });
  });

  it.each([
    ['transcript', 'secretKey', 'baseURL', 'gpt-3.5-turbo'],
    ['ocr', 'aiSecretKey', 'aiBaseURL', 'gpt-4o'],
  ])(
    'keeps its key when the mask comes back, and uses it for the check of %s',
    async (feature, secret, address, model) => {
      expect((await save({ aiSecretKey: mask, aiOrganization: '' })).code).toBe(0);
      const asked = { [secret]: mask, [address]: provider.baseURL };
      expect((await post(`${ai}/${feature}/check`, asked)).code).toBe(0);
      expect(provider.asked.map(({ path }) => path)).toEqual(['/v1/models/whisper-1', '/v1/chat/completions']);
      expect(JSON.parse(provider.asked[1]?.body.toString() ?? '')).toEqual({
        model,
        messages: [{ role: 'user', content: 'Hello!' }],
        max_tokens: 50,
      });
    },
  );

  it('uses the key of a room for its mask, towards the host of that room only', async () => {
    const { uuid } = (await post('/terraform/v1/live/room/create', { title: 'Evening' })).data;
    provider.key = 'sk-of-the-room-9876';
    const own = { aiSecretKey: provider.key, aiBaseURL: provider.baseURL };
    const shown = (await post('/terraform/v1/live/room/update', { uuid, ...own })).data.aiSecretKey;
    const list = (baseURL: string) => post(`${ai}/provider/models`, { secretKey: shown, baseURL });
    expect((await list(provider.baseURL)).data.models).toHaveLength(4);
    expect(provider.asked.at(-1)).toMatchObject({ path: '/v1/models', key: provider.key });
    expect((await check({ secretKey: shown })).code).toBe(0);
    expect((await list(`${elsewhere}/v1`)).code).toBe(1004);
    const voices = (baseURL: string) => post(`${ai}/provider/voices`, { secretKey: shown, baseURL });
    expect((await voices(provider.baseURL)).data).toEqual({ voices: [] });
    provider.voices = ['af_bella', 'zf_xiaoxiao'];
    expect((await voices(provider.baseURL)).data.voices).toContainEqual({ id: 'zf_xiaoxiao', name: 'zf_xiaoxiao' });
    expect((await voices(`${elsewhere}/v1`)).code).toBe(1004);
  });

  it('asks for the key again when the address names another host, port or scheme', async () => {
    for (const aiBaseURL of [
      'http://127.0.0.1:1/v1',
      'http://evil.example/v1',
      provider.baseURL.replace('http', 'https'),
    ]) {
      const refused = await save({ aiSecretKey: mask, aiBaseURL });
      expect([refused.code, refused.data.message]).toEqual([1004, expect.stringContaining('a new host')]);
      expect((await check({ secretKey: mask, baseURL: aiBaseURL })).data.message).toContain('a new host');
      expect((await post(`${ai}/provider/test`, { secretKey: mask, baseURL: aiBaseURL })).code).toBe(1004);
    }
    expect((await save({ aiSecretKey: '••••••••0000' })).code).toBe(1004);
    expect((await post(`${api}/query`)).data.aiBaseURL).toBe(provider.baseURL);
  });

  it.each([
    [{ aiSecretKey: '' }, 1000],
    [{ aiBaseURL: '' }, 1000],
    [{ aiBaseURL: 'file:///etc/passwd' }, 1004],
    [{ aiBaseURL: 'http://user:pass@host/v1' }, 1004],
    [{ aiBaseURL: 'http://host/v1?x=1' }, 1004],
    [{ aiSecretKey: 'a\r\nb' }, 1004],
  ])('refuses %j', async (fields, code) => expect((await save(fields)).code).toBe(code));

  it('reports why the provider does not answer, in our words and without the key', async () => {
    const wrong = await check({ secretKey: 'sk-wrong-wrong-wrong' });
    expect(wrong.data.message).toBe('query model whisper-1: the provider rejected the secret key (401)');
    const away = await check({ baseURL: `${elsewhere}/away/v1` });
    expect(away.data.message).toContain('redirects are not followed');
    expect((await check({ baseURL: `${elsewhere}/large/v1` })).data.message).toContain('larger than');
    expect((await check({ baseURL: 'http://127.0.0.1:1/v1' })).data.message).toContain('the connection was refused');
    for (const host of ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]'])
      expect((await check({ baseURL: `http://${host}/v1` })).data.message).toContain('not allowed');
  });

  it('is tested per capability, each with its reason', async () => {
    await save({});
    provider.skills = ['chat', 'vision'];
    const { data } = await post(`${ai}/provider/test`);
    expect(data.host).toBe(provider.host);
    expect(data.results).toMatchObject([
      { need: 'transcribe', works: false, by: 'provider', model: 'whisper-1', cause: 'no-model' },
      { need: 'chat', works: true, model: 'gpt-4o', cause: null },
      { need: 'see', works: true, model: 'gpt-4o', cause: null },
      { need: 'speak', works: false, model: 'tts-1', cause: 'no-model' },
    ]);
    const given = await post(`${ai}/provider/test`, { secretKey: 'other', baseURL: provider.baseURL });
    expect(new Set(given.data.results.map((result: { cause: string }) => result.cause))).toEqual(new Set(['bad-key']));
    const builtIn = await post(`${ai}/provider/test`, { baseURL: 'http://built-in/v1' });
    expect(builtIn.data.results[0]).toMatchObject({ works: false, by: 'nobody', cause: 'no-provider' });
  });

  it('is removed with its key and models, so that built-in AI answers, and can be set again', async () => {
    await save({});
    await post(`${ai}/models/update`, { chat: 'llama3' });
    expect((await post(`${api}/remove`)).code).toBe(0);
    expect((await post(`${api}/query`)).data).toEqual({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' });
    expect((await post(`${ai}/models/query`)).data.chat).toBe('');
    const nobody = { by: 'nobody', host: '', cause: 'no-provider' };
    expect((await post(`${ai}/provider/answerers`)).data.chat).toEqual(nobody);
    // The mask of the removed key stands for nothing.
    expect((await save({ aiSecretKey: mask })).code).toBe(1004);
    expect((await post(`${api}/remove`)).code).toBe(0);
    expect((await server.post(`${api}/remove`)).status).toBe(401);
    expect((await save({})).code).toBe(0);
  });

  it('is found at the usual addresses of this machine, where something lists models', async () => {
    const { found } = (await post(`${ai}/provider/find`)).data;
    expect(Array.isArray(found)).toBe(true);
    const outgoing = new OutgoingClient();
    provider.key = '';
    const candidates = [
      { preset: 'ollama', baseURLs: ['http://127.0.0.1:1/v1', provider.baseURL] },
      { preset: 'vllm', baseURLs: [`${elsewhere}/large/v1`, `${elsewhere}/away/v1`, 'http://no.such.host.invalid/v1'] },
    ] as const;
    expect(await findProviders(outgoing, candidates)).toEqual([
      { preset: 'ollama', baseURL: provider.baseURL, models: ['whisper-1', 'gpt-4o', 'gpt-3.5-turbo', 'tts-1'] },
    ]);
    provider.mood = 'garbage';
    expect(await findProviders(outgoing, candidates)).toEqual([]);
  });

  it('lists models, of which the owner chooses', async () => {
    await save({});
    const { data } = await post(`${ai}/provider/models`);
    expect(data.models.map(({ id }: { id: string }) => id)).toEqual(['whisper-1', 'gpt-4o', 'gpt-3.5-turbo', 'tts-1']);
    expect((await post(`${ai}/models/update`, { chat: ' llama3 ' })).code).toBe(0);
    expect((await post(`${ai}/models/query`)).data).toEqual({
      transcribe: '',
      chat: 'llama3',
      see: '',
      speak: '',
      voice: '',
    });
    for (const given of [{}, { secretKey: mask, baseURL: provider.baseURL }])
      expect((await post(`${ai}/provider/test`, given)).data.results[1].model).toBe('llama3');
    provider.mood = 'garbage';
    expect((await post(`${ai}/provider/models`)).data).toMatchObject({ why: { kind: 'ai', fact: 'bad-answer' } });
  });

  it('speaks a sample of a voice in the requested language, or returns the reason', async () => {
    await save({});
    const spoken: string[] = [];
    provider.speaks = (text) => {
      spoken.push(text);
      return Buffer.from('RIFF\0\0\0\0WAVE');
    };
    const sample = (fields: object) => post(`${ai}/provider/voice-sample`, fields);
    const { data } = await sample({ voice: 'zf_xiaoxiao', language: 'zh-CN' });
    expect(data.type).toBe('audio/wav');
    expect(Buffer.from(data.audio, 'base64').toString('latin1')).toBe('RIFF\0\0\0\0WAVE');
    const { path, key: sent, body } = provider.asked.at(-1) ?? {};
    expect([path, sent]).toEqual(['/v1/audio/speech', key]);
    expect(JSON.parse(String(body))).toMatchObject({ voice: 'zf_xiaoxiao', response_format: 'wav' });
    // A language without a sentence of its own gets the English one.
    await sample({ voice: 'alloy', language: 'tlh' });
    expect(spoken).toEqual(['晚上好，欢迎收看本次直播。', 'Good evening, and welcome to the show.']);

    expect(await sample({ voice: '', language: 'en' })).toMatchObject({ status: 422 });
    expect(await sample({ language: 'en' })).toMatchObject({ status: 422 });
    provider.key = 'sk-another-0123456789';
    const unsaved = await sample({ voice: 'alloy', secretKey: 'sk-another-0123456789', baseURL: provider.baseURL });
    expect(unsaved.data).toMatchObject({ type: 'audio/wav' });
    const refused = await sample({ voice: 'alloy' });
    expect(refused).toMatchObject({ code: 1004, data: { why: { kind: 'ai' } } });
    expect(JSON.stringify(refused)).not.toContain(key);
    expect((await server.post(`${ai}/provider/voice-sample`, { voice: 'alloy' })).status).toBe(401);
    provider.speaks = undefined;
  });

  it('is named as the host that receives data', async () => {
    await save({});
    const by = { by: 'provider', host: provider.host, cause: null };
    const { data } = await post(`${ai}/provider/answerers`);
    expect(data).toEqual({ transcribe: by, chat: by, see: by, speak: by });
    const other = await post(`${ai}/provider/answerers`, { baseURL: 'http://built-in/v1', language: 'en' });
    expect(other.data.transcribe).toEqual({ by: 'nobody', host: '', cause: 'no-provider' });
  });
});

describe('the AI usage page', () => {
  it('shows the usage of today, and pauses a feature at its limit with a message', async () => {
    await save({});
    await post(`${ai}/provider/test`);
    const { data } = await post(`${ai}/usage/query`);
    expect(data.today).toContainEqual(expect.objectContaining({ feature: 'check', host: provider.host }));
    expect(data.days[0]).toMatchObject({ day: data.day });
    expect(data.paused).toEqual([]);

    expect((await post(`${ai}/limits/update`, { check: { calls: 1 }, ocr: { calls: 5, minutes: 2 } })).code).toBe(0);
    expect((await post(`${ai}/limits/query`)).data).toEqual(
      AiLimits.parse({ check: { calls: 1 }, ocr: { calls: 5, minutes: 2 } }),
    );
    expect((await post(`${ai}/usage/query`)).data.paused).toEqual(['check']);
    expect((await post(`${ai}/provider/test`)).data.results[0].cause).toBe('limit-reached');
    expect((await check({})).data.message).toContain('the daily limit of this feature has been reached');
    expect((await post(`${ai}/limits/update`, { ocr: { calls: -1 } })).code).toBe(1004);
  });
});
