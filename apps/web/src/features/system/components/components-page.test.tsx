import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, runningComponents, runningStatus, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

function openPage(change: Partial<typeof runningComponents> = {}) {
  const server = new FakeServer().answer('components/query', { ...runningComponents, ...change });
  saveCredentials(session);
  const user = renderConsole('/en/routers-components');
  return { server, user, region: (name: string) => screen.findByRole('region', { name }) };
}

it('shows version, stable and latest, the latest with a link on this server', async () => {
  const { region } = openPage();
  const host = within(await region('host'));
  for (const { version, stable, latest } of [runningStatus]) {
    for (const text of [version, stable, latest]) expect(host.getByText(text)).toBeDefined();
  }
  expect(host.getByRole('link', { name: "What's new" }).getAttribute('href')).toMatch(/^\/.*changelog\.txt$/);
});

it('reserves the space of all parts until the server has reported them', async () => {
  const { server, region } = openPage();
  const answer = Promise.withResolvers<void>();
  server.answers.set('components/query', async () => {
    await answer.promise;
    return { body: { code: 0, data: runningComponents, server: 1 } };
  });
  await region('host');
  const places = () => document.querySelectorAll('main .mantine-Skeleton-root').length;
  // Two processes, storage, AI and programs.
  expect(places()).toBe(5);
  answer.resolve();
  await region('Media engine');
  expect(places()).toBe(0);
});

it('shows the state of each process and how its predecessor ended', async () => {
  const [engine, server] = runningComponents.planes;
  const exit = { at: '2026-01-01T00:00:00Z', wanted: false, code: null, signal: null, reason: '' };
  const { region } = openPage({
    planes: [
      { ...engine, restarts: 2, lastExit: { ...exit, signal: 'SIGKILL' } },
      { ...server, pid: 0, ready: false, memoryBytes: null, lastExit: { ...exit, code: 1, reason: 'no disk' } },
    ] as typeof runningComponents.planes,
  });
  const first = within(await region('Media engine'));
  for (const text of ['Running', '11', '80 MB', '2', /^Terminated by signal SIGKILL/]) {
    expect(first.getByText(text)).toBeDefined();
  }
  const second = within(await region('Control server'));
  for (const text of ['Not running', /^Failed, .*no disk$/]) expect(second.getByText(text)).toBeDefined();
});

it('shows how a worker of the engine ended', async () => {
  const lastExit = {
    at: '2026-01-01T00:00:00Z',
    wanted: false,
    code: null,
    signal: 'SIGKILL',
    reason: 'not responding',
  };
  const { region } = openPage({ failedWorkers: [{ name: 'rtc', failures: 2, lastExit }] });
  const engine = within(await region('Media engine'));
  expect(engine.getByText('Last exit of the WebRTC process')).toBeDefined();
  expect(engine.getByText(/^Failed, .*not responding$/)).toBeDefined();
  expect(within(await region('Control server')).queryByText(/WebRTC/)).toBeNull();
});

it('restarts the engine after a confirmation that counts live streams', async () => {
  const { server, user, region } = openPage();
  server.answer('components/restart', null).answer('streams/query', { streams: [activeStream()] });
  const engine = within(await region('Media engine'));
  await user.click(engine.getByRole('button', { name: 'Restart media engine' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/1 stream is live.*every publisher and viewer/)).toBeDefined();
  expect(server.callsTo('components/restart')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Restart media engine' }));
  expect(await engine.findByText('Restarting')).toBeDefined();
  expect(server.callsTo('components/restart')[0]?.body).toEqual({ name: 'engine' });
  const [before, other] = runningComponents.planes;
  server.answer('components/query', { ...runningComponents, planes: [{ ...before, pid: 99, restarts: 1 }, other] });
  expect(await engine.findByText('99')).toBeDefined();
  expect(engine.getByText('Running')).toBeDefined();
});

it('says that restarting the control server interrupts no stream, and waits for the confirmation', async () => {
  const { server, user, region } = openPage();
  await user.click(within(await region('Control server')).getByRole('button', { name: 'Restart control server' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Live streams aren't interrupted/)).toBeDefined();
  await user.click(dialog.getByText('Cancel'));
  expect(server.callsTo('components/restart')).toEqual([]);
});

it('explains what a missing program disables and how to install it', async () => {
  const { region } = openPage({
    tools: [
      { name: 'ffmpeg', state: 'there', version: '5.1', lacks: ['libopus'] },
      { name: 'libsrt', state: 'missing', version: '', lacks: [] },
    ],
  });
  const tools = within(await region('Programs and libraries'));
  expect(tools.getByText(/no Opus encoder/)).toBeDefined();
  expect(tools.getByDisplayValue('sudo apt-get install libsrt1.5-gnutls')).toBeDefined();
});

it('shows the disk usage, as a lower bound where counting stopped', async () => {
  const { region } = openPage({ dataUse: { ...runningComponents.dataUse, atLeast: true } });
  const storage = within(await region('Storage'));
  for (const text of ['at least 5 MB', '41 kB', '4 MB', 'hls']) expect(storage.getByText(text)).toBeDefined();
});
