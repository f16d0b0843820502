import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';
import { dubbingPath as api, group, project, task } from '../dubbing.fixture.ts';

const many = Array.from({ length: 2000 }, (_, n) => group(n));

const exportState = (facts: object) => ({
  state: 'none',
  percent: 0,
  failure: '',
  message: '',
  bytes: 0,
  room: null,
  ...facts,
});

// The test's document has no layout, and a list without height shows no rows.
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100);
});

function openStudio(groups = many) {
  saveCredentials(session);
  const server = new FakeServer()
    .answer(api('query'), project({ task: 'project-1' }))
    .answer(api('links'), { token: 'a-link' })
    .answer(api('task-query'), task({}, groups))
    .answer(api('peaks'), { peaks: btoa('x'.repeat(100)), perSecond: 50, voice: 130 })
    .answer(api('export-query'), exportState({}));
  return { server, user: renderConsole('/en/routers-scenario?tab=dubbing&dubbingId=project-1') };
}

const sentence = async (id: number) => within(await screen.findByLabelText(`Sentence ${id + 1}`));

it('renders only a few of two thousand groups', async () => {
  openStudio();
  await sentence(0);
  expect(screen.getAllByLabelText(/^Sentence \d+$/).length).toBeLessThan(30);
  const film = screen.getByLabelText<HTMLVideoElement>('Video of Evening');
  await waitFor(() => expect(film.getAttribute('src')).toContain('uuid=project-1&token=a-link'));
});

it('loads no voice before the link of the project is there', async () => {
  const loaded: string[] = [];
  const src = vi.spyOn(HTMLMediaElement.prototype, 'src', 'set').mockImplementation((url) => void loaded.push(url));
  const { server } = openStudio([group(0), group(1)]);
  const give = Promise.withResolvers<object>();
  server.answers.set(api('links'), async () => {
    await give.promise;
    return { body: { code: 0, data: { token: 'a-link' }, server: 1 } };
  });
  await sentence(0);
  expect(loaded).toEqual([]);
  give.resolve({});
  await waitFor(() => expect(loaded).not.toEqual([]));
  expect(loaded.every((url) => url.includes('token=a-link'))).toBe(true);
  src.mockRestore();
});

it('corrects a group with its revision and undoes that', async () => {
  const { server, user } = openStudio([group(0), group(1)]);
  server.answers.set(api('task-edit'), ({ body }) => {
    const { translated, revision } = body as { translated: string; revision: number };
    const edited = task({}, [group(0, { translated, revision: revision + 5 }), group(1)]);
    server.answer(api('task-query'), edited);
    return { body: { code: 0, data: edited, server: 1 } };
  });
  const field = (await sentence(0)).getByLabelText<HTMLTextAreaElement>('Translation of sentence 1');
  await user.clear(field);
  await user.type(field, 'Guten Abend');
  await user.tab();
  await waitFor(() => expect(server.callsTo(api('task-edit'))).toHaveLength(1));
  expect(server.callsTo(api('task-edit'))[0]?.body).toEqual({
    uuid: 'project-1',
    task: 'project-1',
    group: 'group-0',
    revision: 1,
    translated: 'Guten Abend',
    since: '',
  });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', false));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.callsTo(api('task-edit'))).toHaveLength(2));
  expect(server.callsTo(api('task-edit'))[1]?.body).toMatchObject({ revision: 6, translated: 'Satz 0' });
});

it('shows the text of another window after a conflict and keeps the own one', async () => {
  const { server, user } = openStudio([group(0), group(1)]);
  const field = (await sentence(0)).getByLabelText<HTMLTextAreaElement>('Translation of sentence 1');
  server.answer(api('task-query'), task({}, [group(0, { translated: 'Theirs', revision: 9 }), group(1)]));
  server.answers.set(api('task-edit'), () => ({
    status: 422,
    body: { code: 1, data: { message: 'no', why: { kind: 'changed', fact: '' } } },
  }));
  await user.type(field, '!');
  await user.tab();
  expect(await screen.findByText(/was changed in another window/)).toBeDefined();
  expect(screen.getByText('Your text: Satz 0!')).toBeDefined();
  expect(field.value).toBe('Theirs');
});

it('merges, rephrases and repeats groups, and blocks the export until all fit', async () => {
  const long = group(1, { fit: 'long', over: 0.84, free_space: -0.84 });
  const { server, user } = openStudio([group(0), long]);
  for (const path of ['task-merge', 'task-rephrase', 'task-edit']) server.answer(api(path), task({}, [group(0), long]));
  const card = await sentence(0);
  const choose = async (action: string) => {
    await user.click(card.getByLabelText('More actions for sentence 1'));
    await user.click(await screen.findByText(action));
  };
  expect((await sentence(1)).getByText('Too long by 0.8 s')).toBeDefined();
  expect(screen.getByText("1 sentence doesn't fit yet. Shorten its text first.")).toBeDefined();
  await choose('Merge with next');
  await waitFor(() => expect(server.callsTo(api('task-merge'))[0]?.body).toMatchObject({ direction: 'next' }));
  await choose('Rephrase shorter');
  await waitFor(() => expect(server.callsTo(api('task-rephrase'))[0]?.body).toMatchObject({ group: 'group-0' }));
  server.answer(api('task-speak'), task({}, [group(0), long]));
  await choose('Speak again');
  await waitFor(() => expect(server.callsTo(api('task-speak'))[0]?.body).toMatchObject({ revision: 1 }));
  await choose('Translate and speak again');
  await waitFor(() => expect(server.callsTo(api('task-edit'))[0]?.body).toMatchObject({ translated: '' }));
});

it('exports the video and offers it for download', async () => {
  const { server, user } = openStudio([group(0)]);
  const making = exportState({ state: 'making', percent: 40 });
  const make = await screen.findByRole('button', { name: 'Make dubbed video' });
  server.answer(api('export-query'), making);
  await user.click(make);
  expect(await screen.findByText('Making the video: 40%')).toBeDefined();
  expect(server.callsTo(api('export-query')).at(-1)?.body).toMatchObject({ start: true });
  server.answer(api('export-query'), { ...making, state: 'ready', percent: 100, bytes: 2_000_000 });
  const link = await screen.findByRole('link', { name: 'Download (2 MB)' });
  expect(link.getAttribute('href')).toBe('/terraform/v1/dubbing/export?uuid=project-1&task=project-1&token=a-link');
});

it('moves the border of a group by keys within its neighbours and saves it', async () => {
  const { server, user } = openStudio([group(0), group(1)]);
  server.answer(api('task-edit'), task({}, [group(0, { end: 2.55 }), group(1)]));
  const border = await screen.findByRole('slider', { name: 'End of sentence 1' });
  expect(border.getAttribute('aria-valuemax')).toBe('3');
  border.focus();
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}{ArrowRight}');
  await waitFor(() => expect(border.getAttribute('aria-valuetext')).toBe('00:00:02.550'));
  await user.tab();
  // On a busy machine the pause between the keys is long enough for a first save.
  const saved = () => server.callsTo(api('task-edit')).at(-1)?.body;
  await waitFor(() => expect(saved()).toMatchObject({ group: 'group-0', revision: 1, end: 2.55 }));
  border.focus();
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await waitFor(() => expect(border.getAttribute('aria-valuetext')).toBe('00:00:03.000'));
});

it('says that the disk is too full for the export', async () => {
  const { server } = openStudio([group(0)]);
  const room = { needBytes: 3_000_000_000, freeBytes: 1_000_000_000 };
  server.answer(api('export-query'), exportState({ state: 'failed', failure: 'no-space', message: 'no', room }));
  expect(await screen.findByText(/the video needs 3 GB, and only 1 GB are free/)).toBeDefined();
});
