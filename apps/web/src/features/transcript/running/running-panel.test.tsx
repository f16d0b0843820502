import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { api, newServer, openTab, running, saved, stopped } from '../transcript.fixture.ts';

const spoken = (n: number, facts: object = {}) => ({
  id: `c1/${n}`,
  at: new Date(2026, 0, 1, 14, 31, n).toISOString(),
  text: `Sentence number ${n}.`,
  texts: { de: `Satz Nummer ${n}.` },
  state: 'air',
  edited: false,
  cleared: false,
  segment: null,
  ...facts,
});

it('edits a sentence in place, between its neighbours, and shows the transcript in other languages', async () => {
  const lines = [spoken(1), spoken(2, { state: 'review', segment: { tsid: '7-audio-x', cue: 1 } }), spoken(3)];
  const server = newServer({ ...saved, translations: ['de'] }, running).answer(api('transcript/lines'), {
    lines,
    growing: 'and after that',
  });
  const user = openTab();
  const panel = within(await screen.findByRole('region', { name: 'Running transcript' }));
  expect(await panel.findByText('and after that …')).toBeDefined();
  expect(panel.getAllByRole('button', { name: /^Edit: / })).toHaveLength(1);
  await user.click(panel.getByRole('button', { name: 'Edit: Sentence number 2.' }));
  expect(panel.getByText('Also retranslates 1 language')).toBeDefined();
  const field = panel.getByRole('textbox', { name: 'Subtitle text' });
  await user.clear(field);
  await user.type(field, 'The second sentence.{Enter}');
  await waitFor(() =>
    expect(server.callsTo(api('transcript/edit'))[0]?.body).toEqual({
      uuid: 'task-1',
      tsid: '7-audio-x',
      cue: 1,
      text: 'The second sentence.',
    }),
  );
  await waitFor(() => expect(panel.queryByRole('textbox')).toBeNull());
  await user.click(await panel.findByRole('button', { name: 'Deutsch' }));
  expect(panel.getByText('Satz Nummer 3.').lang).toBe('de');
  expect(panel.queryByText('Sentence number 3.')).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Search the transcript' }));
  await user.type(panel.getByRole('textbox', { name: 'Search the transcript' }), 'nummer 1');
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['14:31:01Satz Nummer 1.']);
});

it('keeps the words of an edit whose sentence went on air meanwhile, and does not send it', async () => {
  const line = spoken(2, { state: 'review', segment: { tsid: '7-audio-x', cue: 0 } });
  const server = newServer(saved, running).answer(api('transcript/lines'), { lines: [line], growing: '' });
  const user = openTab();
  const panel = within(await screen.findByRole('region', { name: 'Running transcript' }));
  await user.click(await panel.findByRole('button', { name: 'Edit: Sentence number 2.' }));
  await user.type(panel.getByRole('textbox', { name: 'Subtitle text' }), ' More');
  server.answer(api('transcript/lines'), { lines: [spoken(2)], growing: '' });
  expect(await panel.findByText(/can no longer be changed/, {}, { timeout: 5000 })).toBeDefined();
  expect(panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'Subtitle text' }).value).toBe(
    'Sentence number 2. More',
  );
  expect(panel.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await user.keyboard('{Enter}');
  expect(server.callsTo(api('transcript/edit'))).toEqual([]);
});

it('shows no queue counts as if it were running after Stop', async () => {
  newServer({ ...saved, all: false }, { ...running, process: stopped, stream: '' });
  openTab();
  const pipeline = within(await screen.findByRole('region', { name: 'Pipeline' }));
  expect(pipeline.getByText(/^Stopped: nothing is being processed/)).toBeDefined();
  expect(pipeline.queryByRole('list', { name: 'Segments on their way to viewers' })).toBeNull();
});
