import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { writeWav } from '../../ai/wav.ts';
import { openTalk } from './talk.fixture.ts';

let provider: AiProvider;
beforeAll(async () => {
  provider = await AiProvider.start();
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { mood: 'well', reply: undefined, hears: undefined, said: 'It is sunny today.' });
  provider.heard = 'how is the weather';
  provider.asked.length = 0;
});

/** Two seconds of something, in base64. */
const audio = Buffer.from(writeWav(Buffer.alloc(64_000, 'hum'))).toString('base64');
const [chat, transcriptions] = ['/chat/completions', '/audio/transcriptions'];
const texts = (messages: readonly { msg: string }[]) => messages.map(({ msg }) => msg);

describe('interim speech recognition in a room', () => {
  it('is shown to no one else, and counts once with the text that is sent from it', async () => {
    const { enter, call, room } = await openTalk(provider, { aiAsrEdit: true });
    const ann = await enter('Ann');
    expect((await ann.talk('stage/start')).data).toMatchObject({ aiAsrEnabled: true, aiAsrEdit: true });
    const usage = async () => (await call('live/room/usage', { uuid: room.uuid })).data;
    expect(await ann.talk('stage/hear', { audio })).toMatchObject({ data: { text: provider.heard, isFinal: true } });
    expect([await ann.messages(), provider.count(chat)]).toEqual([[], 0]);
    expect(await usage()).toMatchObject({ messages: 1, audioSeconds: 2 });
    await ann.untilFinished((await ann.say('How is the weather in Rotterdam?')).rid);
    expect(texts(await ann.messages())).toEqual(['How is the weather in Rotterdam?', 'It is sunny today.']);
    expect(await usage()).toMatchObject({ messages: 1 });
    await ann.say('And tomorrow?');
    expect(await usage()).toMatchObject({ messages: 2 });
  });

  it('asks a paid provider only when the guest pauses, never during speech', async () => {
    const { enter } = await openTalk(provider);
    const ann = await enter('Ann');
    const hear = async (moment: string) => (await ann.talk('stage/hear', { audio, moment })).data;
    expect(await hear('speaking')).toEqual({ text: '', isFinal: false, canLook: false });
    expect(provider.count(transcriptions)).toBe(0);
    expect(await hear('pausing')).toEqual({ text: 'how is the weather', isFinal: true, canLook: false });
    // The rest of the sentence comes with what was recognised of it.
    provider.heard = 'in Rotterdam today?';
    const { asr, rid } = await ann.say('', { audio, heard: 'how is the weather' });
    expect(asr).toBe('how is the weather in Rotterdam today?');
    await ann.untilFinished(rid);
    expect(provider.count(transcriptions)).toBe(2);
    const asked = provider.asked.findLast(({ path }) => path === `/v1${transcriptions}`);
    expect(String(asked?.body)).toContain('how is the weather');
    provider.heard = '天气怎么样？';
    expect((await ann.say('', { audio, heard: '今天' })).asr).toBe('今天天气怎么样？');
  });

  it('is limited like sent messages, per guest', async () => {
    const { enter, call, room } = await openTalk(provider, { aiMaxMessagesPerDay: 2 });
    const [ann, bob] = [await enter('Ann'), await enter('Bob')];
    expect(await bob.talk('stage/hear', { audio, userId: ann.start.userId })).toMatchObject({ status: 404 });
    expect(await ann.talk('stage/hear', { audio, roomToken: 'wrong' })).toMatchObject({ status: 401 });
    expect(await ann.talk('stage/hear')).toMatchObject({ status: 422 });
    expect(await ann.talk('stage/hear', { audio: Buffer.alloc(1000).toString('base64') })).toMatchObject({
      status: 422,
      data: { why: { kind: 'no-audio' } },
    });
    expect(await ann.talk('stage/hear', { audio: 'x'.repeat(9 * 1024 * 1024) })).toMatchObject({ status: 413 });
    provider.mood = 'fails';
    const { status, data } = await ann.talk('stage/hear', { audio });
    expect([status, data.why.kind]).toEqual([503, 'failed']);
    provider.mood = 'well';
    expect(await ann.talk('stage/hear', { audio })).toMatchObject({
      status: 503,
      data: { why: { kind: 'day-limit' } },
    });
    await call('live/room/update', { uuid: room.uuid, aiMaxMessagesPerDay: 0 });
    const statuses = [];
    for (let n = 0; n < 80; n++) statuses.push((await ann.talk('stage/hear', { audio })).status);
    expect(statuses.filter((one) => one === 503).length).toBeGreaterThan(15);
    const looks = [];
    for (let n = 0; n < 160; n++) looks.push((await ann.talk('stage/hear', { audio, moment: 'speaking' })).status);
    expect([looks.indexOf(503), looks.filter((one) => one === 503).length]).toEqual([150, 10]);
    await call('live/room/update', { uuid: room.uuid, aiAsrEnabled: false });
    expect(await ann.talk('stage/hear', { audio })).toMatchObject({ data: { why: { kind: 'text-only' } } });
  });

  it('does not delay a room that is busy with it, and interrupts no answer', async () => {
    const { enter } = await openTalk(provider);
    const ann = await enter('Ann');
    provider.mood = 'silent';
    const saying = ann.say('Tell me everything.');
    await vi.waitFor(() => expect(provider.open(chat)).toBe(1));
    const hearing = Array.from({ length: 7 }, () => ann.talk('stage/hear', { audio }));
    await vi.waitFor(async () =>
      expect(await ann.talk('stage/hear', { audio })).toMatchObject({ status: 503, data: { why: { kind: 'crowd' } } }),
    );
    expect(provider.open(chat)).toBe(1);
    await provider.disappear();
    await Promise.allSettled([saying, ...hearing]);
    await provider.comeBack();
  });
});
