import { keyMask, type Room, roomLimits } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const app = await createReadyApp(options);
  const room = (name: string, body: object = {}) => app.call(`live/room/${name}`, body);
  const create = async (title = 'My Live Room'): Promise<Room> => (await room('create', { title })).data;
  const publish = async (stream: string, secret: string) => {
    const param = secret === '' ? '' : `?secret=${secret}`;
    return (await app.hook('verify', { action: 'on_publish', client_id: 'c', app: 'live', stream, param })).code;
  };
  return { ...app, room, create, publish };
}

it('creates a room with every field that older clients expect', async () => {
  const { create, room } = await open();
  const made = await create('  Evening talk ');
  expect(made).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    title: 'Evening talk',
    stream: expect.stringMatching(/^[0-9a-f]{12}$/),
    secret: expect.stringMatching(/^[0-9A-F]{16}$/),
    roomToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    stage_uuid: '',
    used_at: '',
    assistant: true,
    aiName: '',
    aiProvider: '',
    aiSecretKey: '',
    aiOrganization: '',
    aiBaseURL: '',
    aiAsrEnabled: true,
    aiChatEnabled: true,
    aiPostEnabled: false,
    aiTtsEnabled: true,
    aiAsrLanguage: '',
    aiAsrPrompt: '',
    aiAsrEdit: false,
    aiAsrModel: '',
    aiTtsModel: '',
    aiTtsVoice: '',
    aiChatModel: '',
    aiChatPrompt: '',
    aiChatMaxWindow: 0,
    aiChatMaxWords: 0,
    aiPostModel: '',
    aiPostPrompt: '',
    aiPostMaxWindow: 0,
    aiPostMaxWords: 0,
    aiMaxWaitSeconds: 30,
    aiMaxMessagesPerDay: 1000,
  });
  expect((await room('query', { uuid: made.uuid })).data).toEqual(made);
});

it('lists the newest first, also after a restart', async () => {
  const store = new MemoryStore();
  const { create } = await open({ store });
  const made = [await create('one'), await create('two'), await create('three')];
  const newestFirst = made
    .map(({ created_at, uuid }) => created_at + uuid)
    .sort()
    .toReversed();
  const { room } = await open({ store });
  const rooms: Room[] = (await room('list')).data.rooms;
  expect(rooms.map(({ created_at, uuid }) => created_at + uuid)).toEqual(newestFirst);
});

it('changes the given fields and keeps the rest', async () => {
  const { create, room } = await open();
  const { uuid } = await create();
  const before: Room = (await room('update', { uuid, aiName: 'Ada', aiTtsEnabled: false, aiChatMaxWords: 9 })).data;
  expect(before).toMatchObject({ aiName: 'Ada', aiTtsEnabled: false, aiChatMaxWords: 9 });
  const change = { uuid: before.uuid, title: 'Another', aiChatMaxWindow: 7, assistant: false, unknown: 1 };
  const after = { ...before, title: 'Another', aiChatMaxWindow: 7, assistant: false };
  expect((await room('update', change)).data).toEqual(after);
  // Server-side fields in a client's request have no effect.
  const whole = { ...after, created_at: 'never', stage_uuid: 'x' };
  expect((await room('update', whole)).data).toEqual(after);
});

it('remembers when the stream of a room was last published', async () => {
  const { create, room, publish } = await open();
  const [used, unused] = [await create('used'), await create('unused')];
  expect(await publish(used.stream, 'wrong')).not.toBe(0);
  const usedAt = async (uuid: string) => (await room('query', { uuid })).data.used_at;
  expect(await usedAt(used.uuid)).toBe('');
  expect(await publish(used.stream, used.secret)).toBe(0);
  await vi.waitFor(async () => expect(await usedAt(used.uuid)).toMatch(/^\d{4}-\d\d-\d\dT/));
  expect(await usedAt(unused.uuid)).toBe('');
});

it.each([
  ['title', { title: '  ' }],
  ['title', { title: 7 }],
  ['aiChatMaxWindow', { aiChatMaxWindow: 1.5 }],
  ['aiPostMaxWords', { aiPostMaxWords: '300' }],
  ['aiChatPrompt', { aiChatPrompt: 'x'.repeat(roomLimits.promptCharacters + 1) }],
  ['stream', { stream: 'a/b' }],
  ['stream', { stream: '../etc' }],
  ['secret', { secret: 'short' }],
  ['roomToken', { roomToken: '' }],
])('refuses a bad %s and changes nothing', async (field, change) => {
  const { create, room } = await open();
  const before = await create();
  const answer = await room('update', { uuid: before.uuid, ...change });
  expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining(field)]);
  expect((await room('query', { uuid: before.uuid })).data).toEqual(before);
});

it('answers with an error for an unknown room', async () => {
  const { room, create } = await open();
  for (const call of ['query', 'update', 'remove', 'rotate'])
    for (const uuid of ['', 'nobody', '__proto__'])
      expect(await room(call, { uuid, title: 'x' })).toMatchObject({ status: 404, code: 1003 });
  expect(await room('create', {})).toMatchObject({ status: 422, code: 1000 });
  expect(await room('create', { title: '' })).toMatchObject({ status: 422 });
  expect((await room('list')).data.rooms).toEqual([]);
  const { uuid } = await create();
  expect((await room('remove', { uuid })).data).toBeNull();
  expect((await room('list')).data.rooms).toEqual([]);
});

it('accepts its stream by its own secret only, under its newest name', async () => {
  const { create, room, publish, call } = await open();
  const global: string = (await call('hooks/srs/secret/query')).data.publish;
  const { uuid, stream, secret } = await create();
  expect([await publish(stream, secret), await publish(stream, global), await publish(stream, '')]).toEqual([
    0, 3000, 3000,
  ]);
  expect([await publish('other', global), await publish('other', secret)]).toEqual([0, 3000]);

  await room('update', { uuid, stream: 'evening', secret: 'a-secret-of-mine' });
  expect([await publish('evening', 'a-secret-of-mine'), await publish('evening', global)]).toEqual([0, 3000]);
  // The old name is anybody's again who has the secret of the server.
  expect([await publish(stream, secret), await publish(stream, global)]).toEqual([3000, 0]);
  await room('remove', { uuid });
  expect([await publish('evening', 'a-secret-of-mine'), await publish('evening', global)]).toEqual([3000, 0]);
});

it('never gives two rooms one stream name', async () => {
  const { create, room } = await open();
  const [one, two] = [await create('one'), await create('two')];
  const [a, b] = await Promise.all(
    [one, two].map(({ uuid }) => room('update', { uuid, stream: 'same', secret: 'the-same-secret' })),
  );
  expect([a?.status, b?.status].sort()).toEqual([200, 422]);
});

it('keeps the secrets of rooms out of logs, and lists them to a starting engine', async () => {
  const { create, room, mediaServer } = await open({ mediaServer: new FakeMediaServer() });
  const { uuid, secret } = await create();
  const told = () => mediaServer.applied.findLast(({ hiddenTexts }) => hiddenTexts !== undefined)?.hiddenTexts ?? [];
  await vi.waitFor(() => expect(told()).toContain(secret));
  await room('remove', { uuid });
  expect(told()).not.toContain(secret);
});

it('gives guests a new token on request, and nothing else of the room changes', async () => {
  const { create, room } = await open();
  const before = await create();
  const after: Room = (await room('rotate', { uuid: before.uuid })).data;
  expect(after.roomToken).not.toBe(before.roomToken);
  expect({ ...after, roomToken: before.roomToken }).toEqual(before);
});

it('shows the key of a provider as a mask, which keeps the key when sent back', async () => {
  const { create, room } = await open();
  const { uuid } = await create();
  const own = { uuid, aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: 'https://ai.example/v1' };
  const masked: string = (await room('update', own)).data.aiSecretKey;
  expect(masked).toBe(`${keyMask}cdef`);
  expect((await room('update', { uuid, aiSecretKey: masked, title: 'x' })).data.aiSecretKey).toBe(masked);
  const elsewhere = { uuid, aiSecretKey: masked, aiBaseURL: 'https://other.example/v1' };
  expect(await room('update', elsewhere)).toMatchObject({ status: 422 });
});

it('needs a credential', async () => {
  const { post } = await open();
  for (const name of ['create', 'query', 'update', 'list', 'remove', 'rotate'])
    expect(await post(`/terraform/v1/live/room/${name}`, { title: 'x' })).toMatchObject({ status: 401, code: 2001 });
});
