import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { dubbingPath as api, film, project, task } from './dubbing.fixture.ts';

function newServer(projects = [project()], states: readonly object[] = []) {
  return new FakeServer()
    .answer(api('list'), { projects, states })
    .answer(api('query'), project())
    .answer(api('create'), project({ uuid: 'project-2' }))
    .answer(api('update'), project({ uuid: 'project-2' }))
    .answer(api('remove'), null)
    .answer(api('links'), { token: 'a-link' })
    .answer(api('source'), { files: [film] })
    .answer('/terraform/v1/ffmpeg/vlive/server', film)
    .answer('/terraform/v1/ai/transcript/languages', { languages: [{ code: 'en', name: 'English' }] });
}

function openTab(more = '') {
  saveCredentials(session);
  return renderConsole(`/en/routers-scenario?tab=dubbing${more}`);
}

const region = async (name: string) => within(await screen.findByRole('region', { name }));

it('creates a project with prompts for its language and opens it', async () => {
  const server = newServer([]);
  const user = openTab();
  expect(await screen.findByText(/^Translate the speech of a video/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Add project' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add project' }));
  expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('My Dubbing Video');
  expect(form.queryByRole('radio', { name: 'Stream' })).toBeNull();
  await user.click(form.getByRole('button', { name: 'Create project' }));
  expect(form.getByText('Please upload a video file to dubbing.')).toBeDefined();
  expect(server.callsTo(api('create'))).toEqual([]);
  await user.click(form.getByRole('radio', { name: 'Server file' }));
  await user.type(form.getByRole('textbox', { name: /path/i }), '/data/film.mp4');
  await user.click(form.getByRole('button', { name: 'Use' }));
  expect(await form.findByText('film.mp4')).toBeDefined();
  expect(form.queryByRole('button', { name: 'Add file' })).toBeNull();
  await user.click(form.getByRole('button', { name: 'Create project' }));
  expect(await screen.findByRole('region', { name: 'Studio' })).toBeDefined();
  expect(server.callsTo(api('create'))[0]?.body).toMatchObject({
    title: 'My Dubbing Video',
    files: [{ uuid: film.uuid }],
  });
  expect(server.callsTo(api('update'))[0]?.body).toMatchObject({
    uuid: 'project-2',
    asr: { aiAsrLanguage: 'en' },
    trans: { aiChatPrompt: expect.stringContaining('into Chinese') },
  });
});

it('lists each project with its progress', async () => {
  const started = project({ uuid: 'project-2', title: 'Morning', task: 'project-2' });
  const lost = project({ uuid: 'project-3', title: 'Lost', source: '' });
  newServer([project(), started, lost], [{ uuid: 'project-2', status: 'translating', percent: 41.6 }]);
  openTab();
  const list = await region('Projects');
  const row = async (name: string) => (await list.findByRole('link', { name })).closest('li')?.textContent;
  expect(await row('Evening')).toMatch(/film\.mp4.*Not started/);
  expect(await row('Morning')).toMatch(/Translating42%/);
  expect(await row('Lost')).toContain('Video missing');
  expect(screen.getByText('1 in progress')).toBeDefined();
});

it('deletes a project after a confirmation', async () => {
  const server = newServer();
  const user = openTab();
  const list = await region('Projects');
  expect(await list.findByText('film.mp4')).toBeDefined();
  await user.click(list.getByRole('button', { name: 'More actions for Evening' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
  expect(server.callsTo(api('remove'))).toEqual([]);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(server.callsTo(api('remove'))[0]?.body).toEqual({ uuid: 'project-1' }));
});

it('saves all settings together, and adapts a default prompt to the spoken language', async () => {
  const server = newServer();
  const user = openTab('&dubbingId=project-1');
  const settings = await region('Settings');
  await user.type(settings.getByRole('textbox', { name: 'Glossary' }), 'only one side');
  await user.click(settings.getByRole('button', { name: 'Save' }));
  expect(settings.getByText(/^Line 1: write it as/)).toBeDefined();
  fireEvent.change(settings.getByRole('textbox', { name: 'Glossary' }), { target: { value: 'Weir = Wehr\n\na = b' } });
  await user.selectOptions(settings.getByLabelText('Original audio'), 'ducked');
  await user.click(settings.getByRole('tab', { name: 'Speech recognition' }));
  expect(settings.getByRole('checkbox', { name: 'Recognize speech' })).toHaveProperty('disabled', true);
  await user.selectOptions(settings.getByLabelText('Spoken language'), '');
  await user.click(settings.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo(api('update'))).toHaveLength(1));
  const body = server.callsTo(api('update'))[0]?.body as Record<string, Record<string, unknown>>;
  expect(body).toMatchObject({
    uuid: 'project-1',
    title: 'Evening',
    background: 'ducked',
    glossary: [
      { source: 'Weir', target: 'Wehr' },
      { source: 'a', target: 'b' },
    ],
    asr: { aiAsrLanguage: '', aiProvider: 'openai' },
    trans: { aiChatPrompt: expect.stringContaining('into English') },
    tts: { aiSecretKey: '', aiBaseURL: '' },
  });
});

it('starts a task, shows why AI fails, pauses it and cancels it', async () => {
  const server = newServer();
  server.answers.set(api('task-start'), () => ({
    status: 422,
    body: { code: 1, data: { message: 'no', why: { kind: 'ai', fact: 'no-provider' } } },
  }));
  const user = openTab('&dubbingId=project-1');
  await user.click(await screen.findByRole('button', { name: 'Start dubbing' }));
  expect(await screen.findByText('No AI provider is set up.')).toBeDefined();
  server
    .answer(api('task-start'), { uuid: 'project-1', session: '', status: 'running' })
    .answer(api('query'), project({ task: 'project-1' }))
    .answer(api('task-query'), task({ status: 'translating', percent: 41.6, secondsLeft: 125, cause: 'unreachable' }))
    .answer(api('task-pause'), { uuid: 'project-1', session: '', status: 'paused' });
  await user.click(screen.getByRole('button', { name: 'Start dubbing' }));
  // Beside the title and in the studio.
  await waitFor(() => expect(screen.getAllByText('Translating')).toHaveLength(2));
  expect(screen.getByText('42%')).toBeDefined();
  expect(screen.getByText("The AI provider can't be reached.")).toBeDefined();
  expect(screen.getByText('Waiting for the AI provider. Dubbing continues automatically.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(server.callsTo(api('task-pause'))[0]?.body).toEqual({ uuid: 'project-1' }));
  server.answer(api('task-cancel'), null).answer(api('query'), project());
  await user.click(await screen.findByRole('button', { name: 'Cancel dubbing' }));
  await user.click(await screen.findByRole('button', { name: 'Delete results' }));
  expect(await screen.findByRole('button', { name: 'Start dubbing' })).toBeDefined();
  expect(screen.queryByText('42%')).toBeNull();
});
