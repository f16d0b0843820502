import { screen, waitFor, within } from '@testing-library/react';
import { AiLimits, type AiUsageReport, Room } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

const api = (name: string) => `/terraform/v1/live/room/${name}`;
const ai = (name: string) => `/terraform/v1/ai/${name}`;
const evening = Room.parse({
  uuid: 'room-1',
  title: 'Evening',
  stream: 'a1b2c3',
  secret: 'SECRET-OF-ROOM-1',
  roomToken: 'token-of-room-1',
  created_at: '2026-01-01T00:00:00.000Z',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  aiAsrLanguage: 'en',
});
const remote = { by: 'provider', host: 'api.example', cause: null };
const usage: AiUsageReport = {
  day: '2026-01-01',
  days: [],
  paused: [],
  limits: AiLimits.parse({}),
  today: (['api.example', 'built-in'] as const).map((host) => ({
    feature: 'rooms',
    host,
    calls: 12,
    errors: 0,
    audioSeconds: 90,
    tokens: 0,
    delayMs: 0,
    lastCause: null,
  })),
};

async function open(room = evening, used = usage) {
  const server = new FakeServer()
    .answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '2022' })
    .answer('streams/preview', { query: '' })
    .answer('streams/query', { streams: [] })
    .answer(api('query'), room)
    .answer(api('update'), room)
    .answer(api('rotate'), room)
    .answer(api('usage'), { day: '2026-01-01', messages: 7, audioSeconds: 0, mostMessages: 1000, isReached: false })
    .answer(ai('usage/query'), used)
    .answer(ai('models/query'), { transcribe: '', chat: 'llama3', see: '', speak: '', voice: '' })
    .answer(ai('provider/models'), { models: [{ id: 'llama3', name: 'llama3', kind: '', languages: [] }] })
    .answer(ai('provider/answerers'), { transcribe: remote, chat: remote, see: remote, speak: remote })
    .answer(ai('transcript/languages'), { languages: [{ code: 'en', name: 'English' }] });
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=stream&roomid=room-1');
  const panel = within(await screen.findByRole('region', { name: 'AI assistant' }));
  const tab = (name: string) => user.click(panel.getByRole('tab', { name }));
  const save = () => user.click(panel.getByRole('button', { name: 'Save' }));
  return { server, user, panel, tab, save };
}

it('shows the providers and the usage of all rooms without built-in AI', async () => {
  const { panel } = await open();
  const goes = within(await panel.findByRole('region', { name: 'What guests say' }));
  expect(goes.getByText('Sent to api.example')).toBeDefined();
  const use = within(await panel.findByRole('region', { name: 'AI use today' }));
  expect(use.getByText('12')).toBeDefined();
  expect(use.getByText('1.5 min')).toBeDefined();
  expect(use.getByRole('link', { name: 'Set a daily limit' }).getAttribute('href')).toContain('tab=llm#limits');
  expect(await use.findByText('7 of 1,000')).toBeDefined();
  expect(use.queryByRole('progressbar', { name: 'Requests of all rooms' })).toBeNull();
});

it('shows the daily limit when it is reached', async () => {
  const limits = AiLimits.parse({ rooms: { calls: 12, minutes: 0 } });
  const { panel, server } = await open(evening, { ...usage, limits, paused: ['rooms'] });
  const use = within(await panel.findByRole('region', { name: 'AI use today' }));
  expect(use.getByText('12 of 12')).toBeDefined();
  expect(use.getByRole('progressbar', { name: 'Requests of all rooms' }).getAttribute('aria-valuenow')).toBe('100');
  expect(use.getByText('Your daily limit is reached.')).toBeDefined();
  server.answer(api('usage'), { day: '2026-01-01', messages: 9, audioSeconds: 0, mostMessages: 9, isReached: true });
  expect(await use.findByText('The daily limit of this room is reached.')).toBeDefined();
});

it('saves all tabs together and opens the one with a problem', async () => {
  const { server, user, panel, tab, save } = await open();
  await user.click(panel.getByRole('textbox', { name: 'Assistant name' }));
  await user.paste('Ada');
  await tab('Speech');
  const edits = panel.getByRole<HTMLInputElement>('checkbox', { name: 'Let guests correct what was heard' });
  await user.click(edits);
  await user.click(panel.getByRole('checkbox', { name: 'Understand speech' }));
  // Without speech recognition there is nothing to correct.
  expect([edits.checked, edits.disabled]).toEqual([true, true]);
  await tab('Chat');
  const model = panel.getByRole<HTMLInputElement>('combobox', { name: 'Model' });
  await waitFor(() => expect(model.placeholder).toBe('Default: llama3'));
  await user.click(model);
  await waitFor(() => expect(model.list?.querySelector('option')?.value).toBe('llama3'));
  const words = panel.getByRole('textbox', { name: 'Maximum words' });
  await user.clear(words);
  await user.paste('many');
  await tab('Voice');
  await save();
  expect(panel.getByText('Enter a whole number from 0 to 10000.')).toBeDefined();
  expect(panel.getByRole('tab', { name: 'Chat' }).getAttribute('aria-selected')).toBe('true');
  expect(server.callsTo(api('update'))).toEqual([]);
  await user.clear(words);
  await user.paste('50');
  await save();
  await waitFor(() => expect(server.callsTo(api('update'))).toHaveLength(1));
  expect(server.callsTo(api('update'))[0]?.body).toMatchObject({
    uuid: 'room-1',
    assistant: true,
    aiName: 'Ada',
    aiAsrEnabled: false,
    aiAsrEdit: true,
    aiChatMaxWords: 50,
    aiProvider: 'openai',
    aiSecretKey: '',
    aiBaseURL: '',
  });
});

it('disables the assistant after a confirmation without saving the form, and enables it at once', async () => {
  const { server, user, panel } = await open();
  await user.click(panel.getByRole('textbox', { name: 'Assistant name' }));
  await user.paste('Ada');
  await user.click(panel.getByRole('button', { name: 'Disable assistant' }));
  server.answer(api('query'), { ...evening, assistant: false });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disable assistant' }));
  await user.click(await panel.findByRole('button', { name: 'Enable assistant' }));
  await waitFor(() => expect(server.callsTo(api('update'))).toHaveLength(2));
  expect(server.callsTo(api('update')).map(({ body }) => body)).toEqual([
    { uuid: 'room-1', assistant: false },
    { uuid: 'room-1', assistant: true },
  ]);
});

it('creates, opens and revokes guest links', async () => {
  const { server, user, panel, tab } = await open();
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  await tab('Guest link');
  expect(panel.queryByRole('button', { name: 'Save' })).toBeNull();
  const field = panel.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
  expect(field.value).toContain('&language=en&pattern=chat&room=room-1&roomToken=••••••••');
  expect(field.value).not.toContain('username');
  await user.click(panel.getByRole('button', { name: 'Open' }));
  const [first, , features] = opened.mock.calls[0] ?? [];
  expect(String(first)).toContain('roomToken=token-of-room-1');
  expect(features).toBe('popup,width=1024,height=768,noopener');
  await user.click(panel.getByRole('radio', { name: 'Transcript only' }));
  expect(field.value).toContain('assistant=0');
  expect(panel.queryByRole('textbox', { name: 'Guest name' })).toBeNull();

  await user.click(panel.getByRole('button', { name: 'Replace links' }));
  expect(server.callsTo(api('rotate'))).toEqual([]);
  server.answer(api('query'), { ...evening, roomToken: 'another-token-of-1' });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Replace links' }));
  await waitFor(() => expect(server.callsTo(api('rotate'))[0]?.body).toEqual({ uuid: 'room-1' }));
  await waitFor(async () => {
    await user.click(panel.getByRole('button', { name: 'Open' }));
    expect(String(opened.mock.calls.at(-1)?.[0])).toContain('another-token-of-1');
  });
});
