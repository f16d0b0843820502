import { talkPaths } from '@weir/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { writeWav } from '../../ai/wav.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { openTalk } from './talk.fixture.ts';

let provider: AiProvider;
beforeAll(async () => {
  provider = await AiProvider.start();
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { mood: 'well', reply: undefined, hears: undefined, said: 'It is sunny today.' });
  provider.asked.length = 0;
});

/** Two seconds of something, in base64. */
const audio = Buffer.from(writeWav(Buffer.alloc(64_000, 'hum'))).toString('base64');
const [chat, transcriptions] = ['/chat/completions', '/audio/transcriptions'];
const slowly = { timeout: 60_000 };
const texts = (messages: readonly { msg: string }[]) => messages.map(({ msg }) => msg);

describe('an upload that is repeated because its answer was lost', () => {
  it('is one utterance, while it is being recognised and later', async () => {
    const { enter } = await openTalk(provider);
    const ann = await enter('Ann');
    const { rid } = (await ann.talk('stage/conversation')).data;
    const heard = Promise.withResolvers<string>();
    provider.hears = () => heard.promise;
    const twice = [0, 1].map(() => ann.talk('stage/upload', { rid, audio }));
    await vi.waitFor(() => expect(provider.open(transcriptions)).toBe(1), slowly);
    heard.resolve('How is the weather?');
    const answers = [...(await Promise.all(twice)), await ann.talk('stage/upload', { rid, audio })];
    await ann.untilFinished(rid);
    answers.push(await ann.talk('stage/upload', { rid, audio }));
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, data: { rid, asr: 'How is the weather?' } });
    expect([provider.count(transcriptions), provider.count(chat)]).toEqual([1, 1]);
    expect(texts(await ann.messages())).toEqual(['How is the weather?', 'It is sunny today.']);
  });

  it('is recognised where it was not, and answered where only the answer failed', async () => {
    const { enter } = await openTalk(provider);
    const ann = await enter('Ann');
    const { rid } = (await ann.talk('stage/conversation')).data;
    const upload = () => ann.talk('stage/upload', { rid, audio });
    provider.mood = 'fails';
    expect(await upload()).toMatchObject({ status: 503 });
    expect(await ann.messages()).toEqual([]);
    Object.assign(provider, { mood: 'well', skills: ['speech'] });
    expect(await upload()).toMatchObject({ status: 503 });
    expect(texts(await ann.messages())).toEqual([provider.heard]);
    provider.skills = ['speech', 'chat', 'voice'];
    expect(await upload()).toMatchObject({ code: 0, data: { asr: provider.heard } });
    await ann.untilFinished(rid);
    expect(texts(await ann.messages())).toEqual(['It is sunny today.']);
  });
});

describe('a listener in a room', () => {
  it('receives again what came before the first answer arrived, and otherwise each message once', async () => {
    const { enter } = await openTalk(provider, { aiChatEnabled: false });
    const ann = await enter('Ann');
    await ann.say('One.');
    expect(texts(await ann.messages({ after: '' }))).toEqual(['One.']);
    expect(texts(await ann.messages({ after: '' }))).toEqual(['One.']);
    expect(await ann.messages()).toEqual([]);
    await ann.say('Two.');
    expect(texts(await ann.messages())).toEqual(['Two.']);
  });

  it('reads the history on request, and receives only what is said from then on', async () => {
    const { enter, talk, key, inject } = await openTalk(provider);
    const ann = await enter('Ann');
    await ann.untilFinished((await ann.say('How is the weather?')).rid);
    const [, old] = await ann.messages();
    const { sid, spid } = (await talk('subscribe/start', { history: true })).data;
    const messages = async (after: string) => (await talk('subscribe/query', { sid, spid, after })).data.msgs;
    const before = await messages('');
    expect(before).toMatchObject([{ msg: 'How is the weather?' }, { msg: old?.msg, asid: '', hasAudio: false }]);
    const tts = (asid = '') =>
      inject({ method: 'GET', url: `${talkPaths.tts}?${new URLSearchParams({ ...key, sid, spid, asid })}` });
    expect((await tts(old?.asid)).statusCode).toBe(404);
    await ann.untilFinished((await ann.say('And tomorrow?')).rid);
    const [, fresh] = await messages(before.at(-1).mid);
    expect(fresh).toMatchObject({ msg: 'It is sunny today.', hasAudio: true });
    expect((await tts(fresh.asid)).statusCode).toBe(200);
    // A client without the option receives nothing of it.
    const later = (await talk('subscribe/start', {})).data.spid;
    expect((await talk('subscribe/query', { sid, spid: later, after: '' })).data.msgs).toEqual([]);
  });
});

it('dictation that stops becomes a question, unless no answer is wanted', async () => {
  const clock = new FakeClock('2026-03-01');
  const { enter, call, room } = await openTalk(provider, { aiChatEnabled: false }, { clock });
  const ann = await enter('Ann');
  await ann.say('One', { mergeMessages: 3 });
  clock.pass(9000);
  await ann.say('two', { mergeMessages: 3 });
  clock.pass(9000);
  await ann.messages();
  expect(provider.count(chat)).toBe(0);
  await call('live/room/update', { uuid: room.uuid, aiChatEnabled: true });
  // The third goes out with what waited.
  await ann.untilFinished((await ann.say('three.', { mergeMessages: 3 })).rid);
  await ann.say('And four', { mergeMessages: 3 });
  clock.pass(8001);
  await vi.waitFor(() => expect(provider.count(chat)).toBe(2), slowly);
  const asked = provider.asked.filter(({ path }) => path === `/v1${chat}`);
  expect(asked.map(({ body }) => JSON.parse(body.toString()).messages.at(-1).content)).toEqual([
    'One two three.',
    'And four',
  ]);
});
