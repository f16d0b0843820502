import { screen, waitFor, within } from '@testing-library/react';
import { Room } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = (name: string) => `/terraform/v1/live/room/${name}`;
const evening = Room.parse({
  uuid: 'room-1',
  title: 'Evening',
  stream: 'a1b2c3',
  secret: 'SECRET-OF-ROOM-1',
  roomToken: 'token-1',
  created_at: '2026-01-01T00:00:00.000Z',
  aiName: 'Ada',
  aiSecretKey: '••••••••cdef',
});

function newServer(rooms = [evening]) {
  return new FakeServer()
    .answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '2022' })
    .answer('streams/preview', { query: '' })
    .answer('streams/query', { streams: [] })
    .answer(api('guests'), { rooms: [{ uuid: 'room-1', guests: 2 }] })
    .answer(api('list'), { rooms })
    .answer(api('query'), evening)
    .answer(api('create'), { ...evening, uuid: 'room-2', title: 'New' })
    .answer(api('update'), { ...evening, uuid: 'room-2' })
    .answer(api('remove'), null);
}

function openTab(more = '') {
  saveCredentials(session);
  return renderConsole(`/en/routers-scenario?tab=stream${more}`);
}

const region = async (name: string) => within(await screen.findByRole('region', { name }));

it('creates a room with a title, and opens it', async () => {
  const server = newServer([]);
  const user = openTab();
  expect(await screen.findByText(/^A room is a stream name with its own secret/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Add room' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add room' }));
  const title = form.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect(title.value).toBe('My Live Room');
  await user.clear(title);
  await user.click(form.getByRole('button', { name: 'Create room' }));
  expect(form.getByText('Enter a title.')).toBeDefined();
  expect(server.callsTo(api('create'))).toEqual([]);
  await user.click(title);
  await user.paste(' New ');
  await user.click(form.getByRole('button', { name: 'Create room' }));
  expect(await screen.findByRole('region', { name: 'Streaming' })).toBeDefined();
  expect(server.callsTo(api('create'))[0]?.body).toEqual({ title: 'New' });
  expect(server.callsTo(api('update'))[0]?.body).toMatchObject({
    uuid: 'room-2',
    aiAsrLanguage: 'en',
    aiChatMaxWindow: 5,
    aiChatMaxWords: 300,
    aiAsrPrompt: 'user-ai',
  });
  expect(server.callsTo(api('query'))[0]?.body).toEqual({ uuid: 'room-2' });
});

it('shows whether each room is live, when it was used and how many guests it has', async () => {
  const quiet = { ...evening, uuid: 'room-2', title: 'Quiet', stream: 'd4e5f6', assistant: false };
  const fresh = { ...evening, uuid: 'room-3', title: 'Fresh', stream: 'g7h8i9' };
  const used = { ...quiet, used_at: '2026-01-01T00:00:00.000Z' };
  const stream = { vhost: '__defaultVhost__', app: 'live', stream: 'a1b2c3' };
  newServer([evening, used, fresh]).answer('streams/query', {
    streams: [{ ...stream, server_id: 's', client_id: 'c', update: '2026-01-02T00:00:00.000Z' }],
  });
  openTab();
  const list = await region('Rooms');
  const row = async (name: string) => (await list.findByRole('link', { name })).closest('li')?.textContent;
  expect(await screen.findByText('1 live')).toBeDefined();
  expect(await row('Evening')).toMatch(/live\/a1b2c3.*Live.*2 guests/);
  expect(await row('Quiet')).toMatch(/Off.*Last used.*Assistant is off/);
  expect(await row('Fresh')).toMatch(/Off.*Not used yet.*No guests/);
});

it('opens the sheet for a link to the panel of new rooms', async () => {
  newServer();
  openTab('#panel-1');
  expect(await screen.findByRole('dialog', { name: 'Add room' })).toBeDefined();
});

it('removes and copies a room after a confirmation, without copying names and keys', async () => {
  const server = newServer();
  const user = openTab();
  const list = await region('Rooms');
  await user.click(await list.findByRole('button', { name: 'More actions for Evening' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy', hidden: true }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(server.callsTo(api('update'))).toHaveLength(1));
  expect(server.callsTo(api('create'))[0]?.body).toEqual({ title: 'Copy of Evening' });
  const body = server.callsTo(api('update'))[0]?.body as Record<string, unknown>;
  expect(body).toMatchObject({ uuid: 'room-2', title: 'Copy of Evening', aiName: 'Ada' });
  expect(Object.keys(body).filter((name) => ['stream', 'secret', 'roomToken', 'aiSecretKey'].includes(name))).toEqual(
    [],
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await user.click(list.getByRole('button', { name: 'More actions for Evening' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
  expect(server.callsTo(api('remove'))).toEqual([]);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(server.callsTo(api('remove'))[0]?.body).toEqual({ uuid: 'room-1' }));
});

it('shows the URLs with the masked secret of the room', async () => {
  newServer();
  const user = openTab('&roomid=room-1');
  const streaming = await region('Streaming');
  const key = await streaming.findByRole<HTMLInputElement>('textbox', { name: 'Stream key' });
  expect(key.value).toBe('a1b2c3?secret=••••••••');
  await user.click(streaming.getByRole('tab', { name: 'SRT' }));
  const srt = streaming.getByRole<HTMLInputElement>('textbox', { name: 'SRT URL' });
  expect(srt.value).toContain('live/a1b2c3?secret=••••••••');
  expect(streaming.getByRole<HTMLInputElement>('textbox', { name: 'Player page' }).value).toContain('a1b2c3');
  await user.click(screen.getByRole('link', { name: 'All rooms' }));
  expect(await screen.findByRole('region', { name: 'Rooms' })).toBeDefined();
});

it('saves title, stream name and secret, and says when a name is taken', async () => {
  const server = newServer();
  const user = openTab('&roomid=room-1');
  const form = await region('Room settings');
  const stream = form.getByRole('textbox', { name: 'Stream name' });
  await user.clear(stream);
  await user.click(stream);
  await user.paste('a/b');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(form.getByText('Enter a name without spaces and slashes.')).toBeDefined();
  await user.clear(stream);
  await user.paste('evening');
  server.refuse(api('update'), 422, 1004);
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('Another room has this stream name.')).toBeDefined();
  server.answer(api('update'), evening);
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo(api('update'))).toHaveLength(2));
  expect(server.callsTo(api('update'))[1]?.body).toEqual({
    uuid: 'room-1',
    title: 'Evening',
    stream: 'evening',
    secret: 'SECRET-OF-ROOM-1',
  });
});

it('says that the room is gone', async () => {
  newServer().refuse(api('query'), 404, 1003);
  openTab('&roomid=room-9');
  expect(await screen.findByText('This room no longer exists')).toBeDefined();
});
