import { screen, waitFor, within } from '@testing-library/react';
import type { ProgramRow } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { anInput, aProgram, aState } from './program-row.fixture.ts';

const api = '/terraform/v1/live/program';

function serverOf(program: ProgramRow | undefined): FakeServer {
  return new FakeServer()
    .answer('streams/query', { streams: [activeStream()], ended: [] })
    .answer('streams/preview', { query: 'weir-preview=t', expireAt: '' })
    .answer(`${api}/preview`, { reason: 'not-live' })
    .answer(`${api}/switch`, null)
    .answer(`${api}/query`, { programs: program ? [program] : [], slates: [], isAvailable: true });
}

function openStream() {
  saveCredentials(session);
  return renderConsole('/en/routers-scenario?tab=live&stream=live/show');
}

const panel = async () => within(await screen.findByRole('region', { name: 'Program inputs' }));
const lost = aState('backup', { state: 'lost', protocol: '' });

it('shows the inputs in words, with the one on air marked, and switches to a healthy one at once', async () => {
  const server = serverOf(aProgram());
  const user = openStream();
  const inputs = await panel();
  const cards = inputs.getAllByRole('listitem').map((card) => card.textContent?.replaceAll('\u00a0', ' '));
  expect(cards[0]).toMatch(/^Main encoderOn airHealthyRTMP · 2\.5 Mbit\/s$/);
  expect(cards[1]).toMatch(/^Backup encoderHealthySRT · 2\.8 Mbit\/sSwitch$/);
  expect(cards[2]).toMatch(/^SlateReadySwitch$/);
  expect(inputs.queryByRole('button', { name: 'Switch to Main encoder' })).toBeNull();
  await user.click(inputs.getByRole('button', { name: 'Switch to Backup encoder' }));
  await waitFor(() =>
    expect(server.callsTo(`${api}/switch`).map(({ body }) => body)).toEqual([{ uuid: 'p1', input: 'backup' }]),
  );
});

it('asks before it switches to an input that is lost, and says what helps', async () => {
  const server = serverOf(aProgram({ states: [aState('publisher', { isOnAir: true }), lost] }));
  const user = openStream();
  const inputs = await panel();
  const card = within(inputs.getByRole('listitem', { name: 'Backup encoder' }));
  expect(card.getByText('Lost')).toBeDefined();
  expect(card.getByText('The connection ended. Check the encoder and its network.')).toBeDefined();
  await user.click(card.getByRole('button', { name: 'Switch to Backup encoder' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch to Backup encoder' }));
  expect(dialog.getByText(/This input has a problem: Lost/)).toBeDefined();
  expect(server.callsTo(`${api}/switch`)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Switch' }));
  await waitFor(() => expect(server.callsTo(`${api}/switch`)).toHaveLength(1));
});

it('names the format of an input that does not fit', async () => {
  const unfit = aState('backup', { state: 'unfit', fit: 'unfit', video: 'H265 1280x720' });
  serverOf(aProgram({ states: [aState('publisher', { isOnAir: true }), unfit] }));
  openStream();
  const card = within((await panel()).getByRole('listitem', { name: 'Backup encoder' }));
  expect(card.getByText(/^Sends H\.265 1280x720, the program is H\.264 1280x720\. Set the encoder/)).toBeDefined();
});

it('shows since when and why the backup is on air, also beside the title, and switches back on request', async () => {
  const switches = [
    { from: 'publisher', to: 'backup', reason: 'closed', at: '2026-01-01T20:14:00.000Z', gapMs: 53.4 } as const,
  ];
  const onBackup = { onAir: 'backup', onAirSince: '2026-01-01T20:14:00.000Z', isHeld: true, switches };
  const server = serverOf(aProgram(onBackup));
  const user = openStream();
  const inputs = await panel();
  expect(inputs.getByText(/^Backup encoder since .*, held until you decide otherwise\.$/)).toBeDefined();
  expect(
    inputs.getByText(/^Last switch: .* · Main encoder → Backup encoder · connection closed · 53 ms without video$/),
  ).toBeDefined();
  const head = screen.getByRole('heading', { level: 1, name: 'live/show' }).parentElement;
  await waitFor(() => expect(head?.textContent).toContain('On backup'));
  const automatic = inputs.getByRole('switch', { name: 'Return automatically' });
  expect(automatic).toHaveProperty('checked', false);
  await user.click(automatic);
  await waitFor(() => expect(server.callsTo(`${api}/switch`).at(-1)?.body).toEqual({ uuid: 'p1', input: '' }));
  server.answer(`${api}/query`, {
    programs: [aProgram({ ...onBackup, isHeld: false })],
    slates: [],
    isAvailable: true,
  });
  await waitFor(() => expect(automatic).toHaveProperty('checked', true));
  expect(inputs.getByText(/^Backup encoder since .*: connection closed\.$/)).toBeDefined();
  await user.click(automatic);
  await waitFor(() => expect(server.callsTo(`${api}/switch`).at(-1)?.body).toEqual({ uuid: 'p1', input: 'backup' }));
});

it('moves inputs by the arrow keys and saves the order, the slate last', async () => {
  const server = serverOf(aProgram()).answer(`${api}/save`, aProgram());
  const user = openStream();
  const inputs = await panel();
  inputs.getByRole('button', { name: 'Move Main encoder' }).focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(server.callsTo(`${api}/save`)).toHaveLength(1));
  const body = server.callsTo(`${api}/save`)[0]?.body as ProgramRow;
  expect(body.inputs.map(({ id }) => id)).toEqual(['backup', 'publisher', 'slate']);
  expect(body).not.toHaveProperty('states');
  expect(inputs.getByText('Main encoder is now number 2 of 3')).toBeDefined();
  expect(inputs.queryByRole('button', { name: 'Move Slate' })).toBeNull();
});

it('pulls the plug and reports the gap of each protocol', async () => {
  const switched = { from: 'publisher', to: 'backup', reason: 'silent', at: '2026-01-01T00:01:00.000Z', gapMs: 1010 };
  const gaps = [
    { protocol: 'flv', gapMs: 64 },
    { protocol: 'll-hls', gapMs: 340 },
  ];
  const server = serverOf(aProgram()).answer(`${api}/rehearse`, { input: 'publisher', switched, gaps });
  const user = openStream();
  await user.click((await panel()).getByRole('button', { name: 'Pull the plug…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pull the plug' }));
  expect(dialog.getByText(/^Cuts off Main encoder for 10 seconds/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Cut off now' }));
  expect(await dialog.findByText('The program stayed on air')).toBeDefined();
  const rows = dialog.getAllByRole('row').map((row) => row.textContent?.replaceAll('\u00a0', ' '));
  expect(rows.slice(1)).toEqual(['HTTP-FLV64 ms', 'LL-HLS340 ms']);
  expect(server.callsTo(`${api}/rehearse`)[0]?.body).toEqual({ uuid: 'p1', seconds: 10 });
  server.answer(`${api}/rehearse`, { input: 'publisher', switched: null, gaps: [] });
  await user.click(dialog.getByRole('button', { name: 'Repeat' }));
  expect(await dialog.findByText('Nothing took over')).toBeDefined();
});

it('shows addresses with the key of each encoder, masked, by protocol', async () => {
  serverOf(aProgram()).answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '80' });
  const user = openStream();
  await user.click((await panel()).getByRole('button', { name: 'More actions for the program' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Encoder addresses', hidden: true }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Encoders of live/show' }));
  const value = async (label: string) => (await sheet.findByLabelText<HTMLInputElement>(label)).value;
  expect(await value('Backup encoder: Server')).toBe('rtmp://localhost/live/');
  expect(await value('Backup encoder: Stream key')).toBe('show?secret=••••••••');
  const reveal = within(sheet.getByRole('region', { name: 'Backup encoder' })).getByRole('button', { name: 'Show' });
  await user.click(reveal);
  expect(await value('Backup encoder: Stream key')).toBe('show?secret=backup-key-0123456789');
  await user.click(sheet.getByText('SRT'));
  expect(await value('Main encoder: SRT URL')).toMatch(/^srt:\/\/localhost/);
  await user.click(sheet.getByText('WHIP'));
  expect(await value('Backup encoder: WHIP URL')).toMatch(/\/rtc\/v1\/whip\/\?app=live&stream=show&secret=•+$/);
});

it('sets up a program from the tile of a stream without one', async () => {
  const made = aProgram({ inputs: [anInput('publisher'), anInput('slate')] });
  const server = serverOf(undefined).answer(`${api}/save`, made);
  const user = openStream();
  await user.click(await screen.findByRole('button', { name: 'Backup and slate Off' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Set up program' }));
  expect(sheet.getByRole('radio', { name: 'Main and backup encoder', checked: true })).toBeDefined();
  expect(sheet.getByText(/^live\/show is live\. When you save, its publisher is disconnected once/)).toBeDefined();
  await user.click(sheet.getByRole('radio', { name: 'Slate only' }));
  await user.type(sheet.getByRole('textbox', { name: 'Text' }), 'Back at eight');
  await user.click(sheet.getByRole('button', { name: 'Save program' }));
  await screen.findByRole('dialog', { name: 'Encoders of live/show' });
  expect(server.callsTo(`${api}/save`)[0]?.body).toMatchObject({
    app: 'live',
    stream: 'show',
    inputs: [{ kind: 'publisher' }, { kind: 'slate', text: 'Back at eight' }],
  });
});
