import { screen, waitFor, within } from '@testing-library/react';
import { talkApi } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { FakeRoom, good, refused } from './session/room.fixture.ts';

function newRoom(): { room: FakeRoom; server: FakeServer } {
  const [room, server] = [new FakeRoom(), new FakeServer()];
  for (const { path } of Object.values(talkApi))
    server.answers.set(path, ({ body }) => room.answer(path, body as Record<string, unknown>));
  return { room, server };
}

const link = (more = '', locale = 'en') =>
  `/${locale}/routers-popout?app=ai-talk&popout=1&room=room-1&roomToken=token-1&${more}`;
const log = () => screen.findByRole('log', { name: 'Conversation' });

async function chatting(user: ReturnType<typeof renderConsole>, name = 'Start chat') {
  await user.click(await screen.findByRole('button', { name }));
  return within(await log());
}

async function type(user: ReturnType<typeof renderConsole>, text: string) {
  await user.click(await screen.findByRole('textbox', { name: 'Type a message' }));
  await user.paste(text);
  await user.keyboard('{Enter}');
}

it.each([
  ['popout=1', 'no app'],
  ['popout=1&app=ai-talk&room=1', 'no room token'],
  ['popout=1&app=ai-talk&roomToken=1', 'no room id'],
])('explains an incomplete link with %s', async (query, words) => {
  new FakeServer();
  renderConsole(`/en/routers-popout?${query}`);
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByRole('heading', { name: 'This link is incomplete' })).toBeDefined();
});

it.each([
  [{ status: 401, message: 'invalid room token' }, 'This link no longer works'],
  [{ status: 404, message: 'there is no such room' }, 'This room no longer exists'],
  [{ status: 422, message: 'assistant disabled' }, 'The assistant of this room is off'],
])('explains a refused guest: %j', async (refusal, words) => {
  const { room } = newRoom();
  room.refusal = refusal;
  renderConsole(link('assistant=1'));
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('takes name and language from the link, and talks as a guest even when signed in', async () => {
  const { room, server } = newRoom();
  saveCredentials(session);
  const user = renderConsole(link('assistant=1&username=Zo%C3%AB%20%3Cb%3E&language=fr'));
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Your name' })).value).toBe('Zoë <b>');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language you speak' }).value).toBe('fr');
  const conversation = await chatting(user);
  expect(room.calls(talkApi.updateUser)[0]).toMatchObject({ name: 'Zoë <b>', lang: 'fr' });
  await type(user, '<img src=x onerror=alert(1)>');
  expect(await conversation.findByText('You said: <img src=x onerror=alert(1)>')).toBeDefined();
  expect(conversation.getByText('Zoë <b>')).toBeDefined();
  expect(conversation.getByText('Bot')).toBeDefined();
  expect(conversation.queryByRole('img')).toBeNull();
  expect(room.calls(talkApi.upload)[0]).toMatchObject({ text: '<img src=x onerror=alert(1)>', mergeMessages: 0 });
  const guests = server.calls.filter(({ path }) => path.includes('/ai-talk/'));
  expect(new Set(guests.map(({ authorization }) => authorization))).toEqual(new Set([null]));
});

it('sends dictation to be merged, and repeats a failed question in the same round', async () => {
  const { room } = newRoom();
  const user = renderConsole(link('assistant=1&pattern=dictation'));
  const conversation = await chatting(user, 'Start dictation');
  room.onUpload = ({ rid, text }) => {
    room.tell({ rid: String(rid), role: 'user', msg: String(text) });
    return refused(503, 'try again', 'failed');
  };
  await type(user, 'note this');
  expect(await conversation.findByText(/can't answer right now. \(ID deadbeef\)/)).toBeDefined();
  expect(room.calls(talkApi.upload)).toMatchObject([{ text: 'note this', mergeMessages: 3 }]);
  room.onUpload = ({ rid, again }) => {
    room.tell({ rid: String(rid), msg: again ? 'Noted.' : 'What?' });
    room.over.set(String(rid), '');
    return good({ rid, asr: '' });
  };
  await user.click(conversation.getByRole('button', { name: 'Try again' }));
  expect(await conversation.findByText('Noted.')).toBeDefined();
  expect(conversation.queryByText(/deadbeef/)).toBeNull();
});

it('puts a sent message into the field to be corrected and sent again', async () => {
  const { room } = newRoom();
  const user = renderConsole(link('assistant=1'));
  // Proposed by the room, because the link names none.
  expect((await screen.findByRole<HTMLSelectElement>('combobox')).value).toBe('de');
  const conversation = await chatting(user);
  await type(user, 'recognise speech');
  await conversation.findByText('You said: recognise speech');
  await user.click(conversation.getByRole('button', { name: 'Edit and send again' }));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Type a message' });
  expect([field.value, document.activeElement]).toEqual(['recognise speech', field]);
  await user.clear(field);
  await type(user, 'wreck a nice beach');
  await conversation.findByText('You said: wreck a nice beach');
  expect(room.calls(talkApi.upload)).toHaveLength(2);
});

it('joins the pieces of an answer, and notes a new conversation', async () => {
  const { room } = newRoom();
  const user = renderConsole(link('assistant=1'));
  const conversation = await chatting(user);
  room.onUpload = ({ rid, text }) => {
    room.tell({ rid: String(rid), role: 'user', msg: String(text) });
    for (const msg of ['One.', 'Two.']) room.tell({ rid: String(rid), msg });
    room.over.set(String(rid), '');
    return good({ rid, asr: text });
  };
  await type(user, 'count');
  await conversation.findByText('Two.');
  expect(conversation.getAllByText('Bot')).toHaveLength(1);
  room.restart();
  expect(await conversation.findByText(/starts anew/)).toBeDefined();
  expect(conversation.getByText('One.')).toBeDefined();
});

it('explains a revoked link and keeps the conversation for copying', async () => {
  const { room } = newRoom();
  const user = renderConsole(link('assistant=1'));
  const conversation = await chatting(user);
  await type(user, 'hello');
  await conversation.findByText('You said: hello');
  room.onUpload = () => new Promise(() => undefined);
  await type(user, 'too late');
  await conversation.findByText('Sending…');
  room.restart();
  room.token = 'token-2';
  expect(await screen.findByText('This link no longer works')).toBeDefined();
  expect(conversation.getByText('You said: hello')).toBeDefined();
  expect(conversation.getByText('Not sent.')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Type a message' })).toBeNull();
  const before = room.asked.length;
  await user.click(screen.getByRole('button', { name: 'Conversation menu' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy conversation', hidden: true }));
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toMatch(
      /^\[.*\] You: hello\n\[.*\] Bot: You said: hello\n\[.*\] You: too late\n$/,
    ),
  );
  expect(room.asked).toHaveLength(before);
});

it('only listens with assistant=0, in the language of the address', async () => {
  const { room } = newRoom();
  renderConsole(link('assistant=0', 'zh'));
  expect(await screen.findByText('房间里还没有人说话，有消息时会显示在这里。')).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(room.calls(talkApi.start)).toEqual([]);
  room.answer(talkApi.start.path, { roomToken: 'token-1' });
  await waitFor(() => expect(room.calls(talkApi.messages).length).toBeGreaterThan(0));
  room.tell({ msg: '你好' });
  expect(await screen.findByText('你好')).toBeDefined();
});
