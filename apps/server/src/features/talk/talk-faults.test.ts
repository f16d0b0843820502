import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helloVoices, talkPaths } from '@weir/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
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
  Object.assign(provider, { mood: 'well', skills: ['speech', 'chat', 'vision', 'voice'], reply: undefined });
  provider.said = 'It is sunny today, and warm as well. Take a hat with you!';
  provider.asked.length = 0;
});

const lines = (messages: readonly { role: string; msg: string }[]) =>
  messages.map(({ role, msg }) => `${role}: ${msg}`);
/** Two seconds of something, in base64. */
const audio = Buffer.from(writeWav(Buffer.alloc(64_000, 'hum'))).toString('base64');
const chat = '/chat/completions';
const speech = '/audio/speech';
const transcriptions = '/audio/transcriptions';
const slowly = { timeout: 60_000 };

describe('a talk provider that', () => {
  it('is down costs a guest nothing: the same question can be asked again', async () => {
    const { enter } = await openTalk(provider);
    const [ann, bob] = [await enter('Ann'), await enter('Bob')];
    await provider.disappear();
    const { status, message, rid } = await ann.say('How is the weather?');
    expect([status, message]).toEqual([503, expect.stringMatching(/^the assistant cannot answer now, try again/)]);
    const asked = (await ann.talk('stage/query', { rid })).data;
    expect(asked).toMatchObject({ finished: true, message, why: { kind: 'failed' }, again: true });
    expect(message).toContain(asked.why.fact);
    await provider.comeBack();
    // Knowing a round from its messages does not make a guest its author.
    expect(await bob.talk('stage/upload', { rid, again: true })).toMatchObject({ status: 404 });
    expect(await ann.talk('stage/upload', { rid, again: true })).toMatchObject({ code: 0 });
    await ann.untilFinished(rid);
    expect(lines(await bob.messages())).toEqual([
      'user: How is the weather?',
      'assistant: It is sunny today,',
      'assistant: and warm as well. Take a hat with you!',
    ]);
    expect((await ann.talk('stage/query', { rid })).data).toMatchObject({ finished: true, message: '', again: false });
    expect(await ann.talk('stage/upload', { rid, again: true })).toMatchObject({ status: 422 });
  });

  it.each([
    ['what was said', transcriptions, { audio }, 17_000, false],
    ['an answer', chat, { text: 'Hello?' }, 30_000, true],
  ])('never answers with %s is not waited for', async (_title, path, said, waitMs, again) => {
    const clock = new FakeClock('2026-03-01');
    const { enter } = await openTalk(provider, {}, { clock });
    const ann = await enter();
    provider.mood = 'silent';
    let isOver = false;
    const saying = ann.say('', said).finally(() => {
      isOver = true;
    });
    await vi.waitFor(() => expect(provider.open(path)).toBe(1), slowly);
    clock.pass(waitMs - 1000);
    await ann.messages();
    expect(isOver).toBe(false);
    clock.pass(1001);
    const { status, message, rid } = await saying;
    expect([status, message]).toEqual([503, expect.stringMatching(/^the assistant did not answer in time, try again/)]);
    await vi.waitFor(() => expect(provider.open(path)).toBe(0), slowly);
    expect((await ann.talk('stage/query', { rid })).data).toMatchObject({
      finished: true,
      why: { kind: 'late' },
      again,
    });
  });

  it('is slow is waited for where the owner allows it', async () => {
    const clock = new FakeClock('2026-03-01');
    const { enter } = await openTalk(provider, { aiMaxWaitSeconds: 200 }, { clock });
    const ann = await enter();
    Object.assign(provider, { mood: 'slow', slowMs: 1500 });
    const saying = ann.say('Hello?');
    await vi.waitFor(() => expect(provider.count(chat)).toBe(1), slowly);
    clock.pass(190_000);
    expect(await saying).toMatchObject({ code: 0 });
  });

  it('stops in the middle of an answer leaves its text so far, and the reason', async () => {
    provider.mood = 'half';
    const { enter } = await openTalk(provider);
    const ann = await enter();
    const { code, rid } = await ann.say('Hello?');
    expect(code).toBe(0);
    expect(await ann.untilFinished(rid)).toMatch(/^the assistant cannot answer now, try again/);
    expect(lines(await ann.messages())).toEqual([
      'user: Hello?',
      'assistant: It is sunny today,',
      'assistant: and warm',
    ]);
    provider.mood = 'well';
    expect(await ann.talk('stage/upload', { rid, again: true })).toMatchObject({ code: 0 });
    expect(await ann.untilFinished(rid)).toBe('');
  });

  it('cannot synthesise speech leaves the text', async () => {
    provider.skills = ['speech', 'chat'];
    const { enter, inject, key } = await openTalk(provider);
    const ann = await enter();
    expect(await ann.untilFinished((await ann.say('Hello?')).rid)).toBe('');
    const [, piece] = await ann.messages();
    expect(piece?.msg).toBe('It is sunny today,');
    const { sid, spid } = ann.start;
    const query = new URLSearchParams({ ...key, sid, spid, asid: String(piece?.asid) });
    const spoken = await inject({ method: 'GET', url: `/terraform/v1/ai-talk/subscribe/tts?${query}` });
    expect([spoken.statusCode, spoken.json().data.message]).toEqual([404, 'there is no such audio']);
  });
});

it('missing speech is waited for once, not for each piece of an answer, and few pieces are requested at a time', async () => {
  const clock = new FakeClock('2026-03-01');
  const { enter, inject } = await openTalk(provider, {}, { clock });
  const ann = await enter();
  // A request for a greeting waits until it is made.
  for (const name of helloVoices)
    expect(await inject({ method: 'GET', url: `${talkPaths.helloVoices}/${name}` })).toMatchObject({ statusCode: 200 });
  await vi.waitFor(() => expect(provider.open(speech)).toBe(0), slowly);
  provider.mood = 'mute';
  provider.said = Array.from({ length: 40 }, (_, n) => `This is sentence number ${n} of it.`).join(' ');
  const { rid } = await ann.say('Tell me everything.');
  await vi.waitFor(() => expect(provider.open(speech)).toBe(3), slowly);
  await vi.waitFor(() => expect(provider.open(chat)).toBe(0), slowly);
  expect((await ann.talk('stage/query', { rid })).data.finished).toBe(false);
  clock.pass(30_001);
  expect(await ann.untilFinished(rid)).toBe('');
  expect(await ann.messages()).toHaveLength(41);
  await vi.waitFor(() => expect(provider.open(speech)).toBe(0), slowly);
  provider.mood = 'well';
  expect(await ann.say('Thank you.')).toMatchObject({ code: 0 });
});

describe('the provider is not asked any more', () => {
  /** A guest whose question the provider has and does not answer. */
  async function openWaiting() {
    const talk = await openTalk(provider);
    const ann = await talk.enter('Ann');
    provider.mood = 'silent';
    const saying = ann.say('Tell me everything.');
    await vi.waitFor(() => expect(provider.open(chat)).toBe(1), slowly);
    return { ...talk, ann, saying };
  }

  it.each([
    ['assistant is switched off', 'update', { assistant: false }],
    ['room is removed', 'remove', {}],
    ['token is replaced', 'rotate', {}],
  ])('when the %s', async (_title, path, change) => {
    const { saying, call, room } = await openWaiting();
    await call(`live/room/${path}`, { uuid: room.uuid, ...change });
    await vi.waitFor(() => expect(provider.open(chat)).toBe(0), slowly);
    expect(await saying).toMatchObject({ status: 404, message: expect.stringMatching(/^invalid sid: /) });
  });

  it('when the guest speaks again', async () => {
    const { ann, saying } = await openWaiting();
    provider.mood = 'well';
    const next = await ann.say('Stop, please.');
    expect(await saying).toMatchObject({ code: 0 });
    await ann.untilFinished(next.rid);
    await vi.waitFor(() => expect(provider.open(chat)).toBe(0), slowly);
    expect(provider.count(chat)).toBe(2);
  });

  it('when the guest is removed from a full room', async () => {
    const { talk, post, key, saying } = await openWaiting();
    // This guest's network has the most guests in a full room, and this guest was silent the longest.
    for (let n = 0; n < 30; n++) await talk('stage/start', {});
    const elsewhere = { 'x-forwarded-for': '198.51.100.7' };
    for (let n = 0; n < 20; n++) await post('/terraform/v1/ai-talk/stage/start', key, elsewhere);
    await vi.waitFor(() => expect(provider.open(chat)).toBe(0), slowly);
    expect(await saying).toMatchObject({ status: 404 });
  });

  it('when the conversation ends, and ffmpeg is stopped too', async () => {
    // A program of this name that takes for ever, and tells who it is.
    const bin = mkdtempSync(join(tmpdir(), 'weir-bin-'));
    const pidFile = join(bin, 'pid');
    writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`);
    chmodSync(join(bin, 'ffmpeg'), 0o755);
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = `${bin}:${PATH}`;
    const { enter, call, room } = await openTalk(provider);
    const ann = await enter();
    const saying = ann.say('', { audio: Buffer.from('recorded elsewhere').toString('base64') });
    const pid = await vi.waitFor(() => {
      // The shell makes the file before it writes into it.
      const written = Number(readFileSync(pidFile, 'utf8'));
      expect(written).toBeGreaterThan(0);
      return written;
    }, slowly);
    expect(() => process.kill(pid, 0)).not.toThrow();
    await call('live/room/update', { uuid: room.uuid, assistant: false });
    expect(await saying).toMatchObject({ status: 404 });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

it('a conversation without activity for ten minutes is closed, with a message', async () => {
  const clock = new FakeClock('2026-03-01');
  const { enter } = await openTalk(provider, {}, { clock });
  const ann = await enter();
  clock.pass(601_000);
  const { status, data } = await vi.waitFor(async () => {
    const answer = await ann.talk('subscribe/query');
    expect(answer.status).toBe(404);
    return answer;
  }, slowly);
  expect([status, data.why.kind]).toEqual([404, 'ended']);
  expect(data.message).toBe('invalid sid: the conversation has ended, start a new one');
  expect((await ann.talk('stage/start')).code).toBe(0);
});

it('a room has its own daily limit, which its owner sees', async () => {
  const clock = new FakeClock('2026-03-01T23:00:00Z');
  const { enter, call, room } = await openTalk(provider, { aiMaxMessagesPerDay: 2, aiChatEnabled: false }, { clock });
  const ann = await enter();
  const usage = async () => (await call('live/room/usage', { uuid: room.uuid })).data;
  const alerts = async () => (await call('mgmt/status')).data.alerts;
  await ann.say('One.');
  await ann.say('', { audio });
  expect(await usage()).toEqual({
    day: '2026-03-01',
    messages: 2,
    audioSeconds: 2,
    mostMessages: 2,
    isReached: true,
  });
  const { status, message, rid } = await ann.say('Three.');
  expect([status, message]).toEqual([503, 'the daily limit has been reached, try again tomorrow']);
  expect((await ann.talk('stage/query', { rid })).data).toMatchObject({ finished: true, why: { kind: 'day-limit' } });
  expect(await alerts()).toMatchObject([{ kind: 'ai-limit', subject: 'rooms', label: 'Talk' }]);
  await call('live/room/update', { uuid: room.uuid, aiMaxMessagesPerDay: 3 });
  expect(await ann.say('Three.')).toMatchObject({ code: 0 });
  expect(await alerts()).toEqual([]);
  expect(await ann.say('Four.')).toMatchObject({ status: 503 });
  // Two hours are too long a silence for the conversation, and a new day for the room.
  clock.pass(7_200_000);
  const bob = await enter();
  expect(await bob.say('Five.')).toMatchObject({ code: 0 });
  expect(await usage()).toMatchObject({ day: '2026-03-02', messages: 1, isReached: false });
});
