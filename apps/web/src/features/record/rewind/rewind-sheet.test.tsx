import { screen, within } from '@testing-library/react';
import type { RewindRule, RewindWindow } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';
import { settingsFixture } from '../recording.fixture.ts';

const record = '/terraform/v1/hooks/record';
const api = (name: string) => `/terraform/v1/hooks/rewind/${name}`;
const rule: RewindRule = { id: 'r1', pattern: '/live/*', windowSeconds: 7200 };
const kept: RewindWindow = {
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  from: '2026-03-01T10:00:00.000Z',
  to: '2026-03-01T11:30:00.000Z',
  bytes: 3_000_000_000,
};

function open(rules: readonly RewindRule[], windows: readonly RewindWindow[] = [], shortenedSince = '') {
  const server = new FakeServer()
    .answer(`${record}/query`, settingsFixture())
    .answer(`${record}/files`, [])
    .answer('streams/query', { streams: [] })
    .answer(api('query'), { rules, windows, shortenedSince, isAvailable: true })
    .answer(api('save'), rule)
    .answer(api('remove'), null);
  saveCredentials(session);
  return { server, user: renderConsole('/en/routers-scenario?tab=record') };
}

it('adds a rule for rewinding, and says what is wrong with a pattern', async () => {
  const { server, user } = open([]);
  expect(await screen.findByText("Viewers can't go back yet")).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Add rule' }));
  const pattern = await screen.findByLabelText('Stream or pattern');
  await user.clear(pattern);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a stream or a valid pattern.')).toBeDefined();
  await user.type(pattern, '/live/show');
  await user.selectOptions(screen.getByLabelText('Viewers can go back'), '12 hr');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('save'))[0]?.body).toEqual({ pattern: '/live/show', windowSeconds: 43_200 });
});

it('shows what is kept, and that it is shorter than set because the disk is nearly full', async () => {
  open([rule, { id: 'r2', pattern: '/live/quiet', windowSeconds: 0 }], [kept], '2026-03-01T11:00:00.000Z');
  const rules = within(await screen.findByRole('list', { name: 'Rewind rules' }));
  expect(rules.getAllByText(/^Viewers can/).map(({ textContent }) => textContent)).toEqual([
    'Viewers can go back 2 hr',
    "Viewers can't go back",
  ]);
  const table = screen.getByRole('table', { name: 'Kept now' });
  expect(within(table).getByText('1 hr 30 min')).toBeDefined();
  expect(screen.getByText('Rewind windows were shortened')).toBeDefined();
});
