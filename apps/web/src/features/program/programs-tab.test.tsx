import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { anInput, aProgram } from './program-row.fixture.ts';

const api = '/terraform/v1/live/program';

function serverOf(facts: object = {}): FakeServer {
  return new FakeServer()
    .answer(`${api}/preview`, { reason: 'not-live' })
    .answer(`${api}/slates`, null)
    .answer('/terraform/v1/ffmpeg/vlive/library/query', [])
    .answer('/terraform/v1/ffmpeg/vlive/uploads/query', [])
    .answer(`${api}/query`, { programs: [], slates: [], isAvailable: true, ...facts });
}

function openTab(query = '') {
  saveCredentials(session);
  return renderConsole(`/en/routers-scenario?tab=program${query}`);
}

it('lists all programs with what is on air and why', async () => {
  const switches = [{ from: 'publisher', to: 'slate', reason: 'closed', at: '2026-01-01T00:00:00Z', gapMs: 90 }];
  const onSlate = aProgram({ uuid: 'p2', stream: 'other', onAir: 'slate', switches: switches as never });
  serverOf({ programs: [aProgram(), onSlate, aProgram({ uuid: 'p3', stream: 'third', enabled: false, onAir: '' })] });
  openTab();
  const list = within(await screen.findByRole('list', { name: 'Programs' }));
  const rows = list.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows[0]).toMatch(/^live\/showMain encoder → Backup encoder → SlateOn airMain encoder since .*\.$/);
  expect(rows[1]).toMatch(/^live\/other.*On slateSlate since .*: connection closed\.$/);
  expect(rows[2]).toMatch(/^live\/third.*OffThe program is off\./);
  expect(list.getByRole('link', { name: 'live/show' }).getAttribute('href')).toMatch(/tab=live&stream=live\/show$/);
  expect(screen.getByText('2 on air')).toBeDefined();
});

it('sets up a program by its address, and names what is missing before it calls the server', async () => {
  const server = serverOf().answer(`${api}/save`, aProgram({ inputs: [anInput('pull'), anInput('slate')] }));
  const user = openTab('&add=1');
  const form = within(await screen.findByRole('dialog', { name: 'Set up program' }));
  await user.click(form.getByRole('radio', { name: 'Slate only' }));
  await user.click(form.getByRole('button', { name: 'Remove Main encoder' }));
  await user.click(form.getByRole('button', { name: 'Save program' }));
  expect(form.getByText('Enter an app and a stream name, such as live/show.')).toBeDefined();
  expect(form.getByText('Add an input besides the slate.')).toBeDefined();
  expect(server.callsTo(`${api}/save`)).toEqual([]);
  await user.type(form.getByRole('combobox', { name: 'Stream' }), 'live/show');
  await user.click(form.getByRole('button', { name: 'Add input' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Pulled URL', hidden: true }));
  await user.click(form.getByRole('button', { name: 'Save program' }));
  expect(form.getByText('Enter a full RTMP, SRT, RTSP, HLS or HTTP-FLV URL.')).toBeDefined();
  await user.type(form.getByRole('textbox', { name: 'URL' }), 'rtmp://192.0.2.1/live/in');
  await user.click(form.getByRole('checkbox', { name: 'Read only when needed' }));
  await user.click(form.getByRole('button', { name: 'Save program' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Encoders of live/show' }));
  expect(sheet.getByText(/^This program has no encoders/)).toBeDefined();
  expect(server.callsTo(`${api}/save`)[0]?.body).toMatchObject({
    inputs: [{ kind: 'pull', url: 'rtmp://192.0.2.1/live/in', isCold: true }, { kind: 'slate' }],
  });
});

it('shows why the server refuses a program, and keeps what was typed', async () => {
  const server = serverOf();
  server.refuse(`${api}/save`, 422, 1004);
  const user = openTab('&add=1');
  const form = within(await screen.findByRole('dialog', { name: 'Set up program' }));
  await user.type(form.getByRole('combobox', { name: 'Stream' }), 'live/show');
  await user.click(form.getByRole('button', { name: 'Save program' }));
  expect(await form.findByText('The program was not saved')).toBeDefined();
  expect(form.getByRole('alert').textContent).toBe('refused');
  expect(form.getByRole('combobox', { name: 'Stream' })).toHaveProperty('value', 'live/show');
});

it('sets a slate for streams without a program, off by default', async () => {
  const server = serverOf();
  const user = openTab();
  expect(await screen.findByText('Off: streams end when their publisher drops.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Add rule' }));
  const pattern = screen.getByRole('textbox', { name: 'When the publisher of this stream drops' });
  await user.clear(pattern);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a pattern such as /live/* or /live/show.')).toBeDefined();
  expect(server.callsTo(`${api}/slates`)).toEqual([]);
  await user.type(pattern, '/live/show');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show a slate for up to' }), '900');
  server.answer(`${api}/query`, {
    programs: [],
    slates: [{ pattern: '/live/show', seconds: 900 }],
    isAvailable: true,
  });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsTo(`${api}/slates`)[0]?.body).toEqual({ slates: [{ pattern: '/live/show', seconds: 900 }] }),
  );
  await user.click(await screen.findByRole('button', { name: 'Remove the rule for /live/show' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo(`${api}/slates`)[1]?.body).toEqual({ slates: [] }));
});

it('says plainly that a separate SRS has no programs', async () => {
  serverOf({ isAvailable: false });
  openTab();
  expect(await screen.findByText('Programs need the embedded engine')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Set up program' })).toBeNull();
});

it('is found in the palette by words in both languages', async () => {
  serverOf({ programs: [aProgram()] });
  const user = openTab();
  await screen.findByRole('list', { name: 'Programs' });
  await user.keyboard('{Control>}k{/Control}');
  const search = await screen.findByRole('combobox', { name: 'Pages, streams, recordings and actions' });
  await user.type(search, '备用');
  const titles = await screen.findAllByRole('option');
  expect(titles.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([expect.stringContaining('Set up program'), expect.stringContaining('Inputs of live/show')]),
  );
});
