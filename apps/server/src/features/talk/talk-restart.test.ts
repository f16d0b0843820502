import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { openTalk } from './talk.fixture.ts';

let provider: AiProvider;
beforeAll(async () => {
  provider = await AiProvider.start();
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { mood: 'well', said: 'It is sunny today.' });
});

const slowly = { timeout: 60_000 };
const stagesIn = (dataDir: string) => readdirSync(join(dataDir, 'talk')).filter((name) => name.endsWith('.stage'));
const stageText = (dataDir: string) =>
  stagesIn(dataDir)
    .map((name) => readFileSync(join(dataDir, 'talk', name), 'utf8'))
    .join('');

it('a conversation continues after a kill with its guests, its messages and its unanswered questions', async () => {
  const store = new MemoryStore();
  const before = await openTalk(provider, {}, { store });
  const [ann, bob] = [await before.enter('Ann'), await before.enter('Bob')];
  await ann.untilFinished((await ann.say('How is the weather?')).rid);
  expect(await bob.messages()).toHaveLength(2);
  provider.mood = 'silent';
  const { rid } = (await ann.talk('stage/conversation')).data;
  const saying = ann.talk('stage/upload', { rid, text: 'And tomorrow?' });
  saying.catch(() => undefined);
  await vi.waitFor(() => expect(stageText(before.dataDir)).toContain('And tomorrow?'), slowly);
  const [file = ''] = stagesIn(before.dataDir);
  expect(statSync(join(before.dataDir, 'talk', file)).mode & 0o777).toBe(0o600);

  // The disk as a killed process leaves it, with files that nobody will remove.
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-app-'));
  cpSync(join(before.dataDir, 'talk'), join(dataDir, 'talk'), { recursive: true });
  writeFileSync(join(dataDir, 'talk', `${file}.part`), '{');
  writeFileSync(join(dataDir, 'talk', 'spoilt.stage'), '{');
  writeFileSync(join(dataDir, 'talk', 'upload.pcm'), 'x');
  provider.mood = 'well';
  const after = await openTalk(provider, {}, { store, dataDir });
  expect(readdirSync(join(dataDir, 'talk')).filter((name) => !name.startsWith('hello'))).toEqual([file]);
  const [annAgain, bobAgain] = [after.returning(ann.start), after.returning(bob.start)];
  expect((await bobAgain.messages()).map(({ msg, hasAudio }) => [msg, hasAudio])).toEqual([['And tomorrow?', false]]);
  expect((await annAgain.messages()).map(({ msg }) => msg)).toEqual([
    'How is the weather?',
    'It is sunny today.',
    'And tomorrow?',
  ]);
  expect((await annAgain.talk('user/query')).data.username).toBe('Ann');
  expect((await annAgain.talk('user/query', { userSecret: 'wrong' })).status).toBe(404);
  expect((await annAgain.talk('stage/query', { rid })).data).toMatchObject({
    finished: true,
    again: true,
    why: { kind: 'restarted' },
    message: 'the server restarted before the answer was ready, try again',
  });
  expect(await annAgain.talk('stage/upload', { rid, again: true })).toMatchObject({ code: 0 });
  await annAgain.untilFinished(rid);
  expect((await bobAgain.messages()).map(({ msg }) => msg)).toEqual(['It is sunny today.']);
});

it('writes a message to disk before it confirms it', async () => {
  const { enter, dataDir } = await openTalk(provider, { aiChatEnabled: false });
  const guests = await Promise.all(['Ann', 'Bob', 'Cy'].map((name) => enter(name)));
  for (let n = 0; n < 10; n++)
    await Promise.all(
      guests.map(async (guest, who) => {
        expect(await guest.say(`message ${n} of ${who}`)).toMatchObject({ code: 0 });
        // State that a process killed now would leave.
        expect(stageText(dataDir)).toContain(`message ${n} of ${who}"`);
      }),
    );
});

it('dictation that waited for more when the server was killed becomes a question after the restart', async () => {
  const store = new MemoryStore();
  const before = await openTalk(provider, {}, { store });
  const ann = await before.enter('Ann');
  await ann.say('Write down', { mergeMessages: 3 });
  await ann.say('the harbour.', { mergeMessages: 3 });
  await vi.waitFor(() => expect(stageText(before.dataDir)).toContain('"dictation":["Write down","the'), slowly);
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-app-'));
  cpSync(join(before.dataDir, 'talk'), join(dataDir, 'talk'), { recursive: true });
  await before.close();
  provider.asked.length = 0;
  const clock = new FakeClock(new Date().toISOString());
  const after = await openTalk(provider, {}, { store, dataDir, clock });
  const annAgain = after.returning(ann.start);
  expect((await annAgain.messages()).map(({ msg }) => msg)).toEqual(['Write down', 'the harbour.']);
  clock.pass(8001);
  const answers = async () => (await annAgain.messages({ after: '' })).filter(({ role }) => role === 'assistant');
  await vi.waitFor(async () => expect(await answers()).toHaveLength(1), slowly);
  const [asked] = provider.asked.filter(({ path }) => path.endsWith('/chat/completions'));
  expect(JSON.parse(String(asked?.body)).messages.at(-1).content).toBe('Write down the harbour.');
});

it.each([
  ['whose token was replaced meanwhile', { roomToken: 'another-token-of-mine' }],
  ['whose assistant was switched off meanwhile', { assistant: false }],
])('a conversation of a room %s is closed', async (_title, change) => {
  const store = new MemoryStore();
  const before = await openTalk(provider, {}, { store });
  const ann = await before.enter();
  await before.close();
  expect(stagesIn(before.dataDir)).toHaveLength(1);
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-app-'));
  cpSync(join(before.dataDir, 'talk'), join(dataDir, 'talk'), { recursive: true });
  const other = await openTalk(provider, change, { store });
  await other.close();
  const after = await openTalk(provider, {}, { store, dataDir });
  const { status, data } = await after.talk('subscribe/query', { ...ann.start, roomToken: after.room.roomToken });
  expect([status, data.why]).toEqual([404, { kind: 'ended', fact: '' }]);
  expect(stagesIn(dataDir)).toEqual([]);
});

it('a closed conversation leaves no file, and a disk that cannot be written closes none', async () => {
  const { enter, call, room, dataDir } = await openTalk(provider);
  const directory = join(dataDir, 'talk');
  const ann = await enter();
  await vi.waitFor(() => expect(stagesIn(dataDir)).toEqual([`${ann.start.sid}.stage`]), slowly);
  // A folder where the next file should go.
  mkdirSync(join(directory, `${ann.start.sid}.stage.part`));
  await ann.untilFinished((await ann.say('Hello?')).rid);
  expect(await ann.messages()).toHaveLength(2);
  await call('live/room/update', { uuid: room.uuid, assistant: false });
  await vi.waitFor(() => expect(existsSync(join(directory, `${ann.start.sid}.stage`))).toBe(false), slowly);
});
