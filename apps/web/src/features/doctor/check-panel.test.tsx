import { screen, within } from '@testing-library/react';
import { type DoctorFinding, type DoctorReport, doctorChecks } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const fine: DoctorFinding = {
  check: 'zone',
  verdict: 'ok',
  reason: 'zone.ok',
  facts: { zone: 'UTC', browserZone: 'UTC' },
  command: '',
  tab: '',
  tookMs: 1,
};
const findings: readonly DoctorFinding[] = [
  {
    ...fine,
    check: 'ffmpeg',
    verdict: 'bad',
    reason: 'ffmpeg.missing',
    facts: {},
    command: 'sudo apt-get install ffmpeg',
  },
  { ...fine, check: 'certificate', verdict: 'warn', reason: 'certificate.selfSigned', facts: {}, tab: 'https' },
  fine,
];

function openPage() {
  const before: DoctorReport = { startedAt: '', isRunning: false, version: '1.2.3', findings: [], rtcTicket: '' };
  const server = new FakeServer();
  server.answer('doctor/query', before);
  const startedAt = '2026-01-02T03:04:05Z';
  server.answers.set('doctor/run', () => {
    server.answer('doctor/query', { ...before, startedAt, findings });
    return { body: { code: 0, data: { ...before, startedAt, isRunning: true }, server: 1 } };
  });
  saveCredentials(session);
  return { server, user: renderConsole('/en/routers-components') };
}

it('shows checks while they run, then each result with its remedy', async () => {
  const { server, user } = openPage();
  const panel = within(await screen.findByRole('region', { name: 'Check this server' }));
  expect(panel.getByText('Not checked yet')).toBeDefined();
  await user.type(panel.getByLabelText('Public host name'), 'live.example.com');
  await user.click(panel.getByRole('button', { name: 'Run checks' }));
  expect(server.callsTo('doctor/run')[0]?.body).toMatchObject({ name: 'live.example.com' });
  // HTTPS is off in this environment, and it has no WebRTC.
  const own = within(await panel.findByRole('region', { name: 'From your browser' }));
  expect(await own.findByText('Your browser reaches this server over HTTP.')).toBeDefined();
  const rows = within(await panel.findByRole('region', { name: 'From this server' }));
  expect(await panel.findByText('2 problems found')).toBeDefined();
  expect(rows.getAllByRole('listitem')).toHaveLength(findings.length);
  expect(rows.getByLabelText('Command')).toHaveProperty('value', 'sudo apt-get install ffmpeg');
  expect(rows.getByRole('link', { name: 'Open settings' }).getAttribute('href')).toMatch(/tab=https$/);
  expect(panel.getByRole('button', { name: 'Download results' })).toBeDefined();
  expect(doctorChecks.length).toBeGreaterThan(findings.length);
});

it('refuses an address in place of a host name before anything is sent', async () => {
  const { server, user } = openPage();
  const panel = within(await screen.findByRole('region', { name: 'Check this server' }));
  await user.type(panel.getByLabelText('Public host name'), 'https://live.example.com/x');
  await user.click(panel.getByRole('button', { name: 'Run checks' }));
  expect(panel.getByText(/Enter a host name only/)).toBeDefined();
  expect(server.callsTo('doctor/run')).toEqual([]);
});
