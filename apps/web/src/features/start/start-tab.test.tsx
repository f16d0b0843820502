import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, runningStatus, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const nothing = { published: false, watched: false, forwarded: false, recorded: false };

function open(steps: object, query = '?tab=start') {
  new FakeServer().answer('envs', { rtmpPort: '1935' }).answer('status', { ...runningStatus, steps });
  saveCredentials(session);
  return renderConsole(`/en/routers-scenario${query}`);
}

it('is where a new server begins, with what an encoder needs', async () => {
  open(nothing, '');
  expect(await screen.findByRole('heading', { level: 1, name: 'Get started' })).toBeDefined();
  expect(await screen.findByText('1 of 7 done')).toBeDefined();
  const [check] = within(screen.getByRole('main')).getAllByRole('listitem', { current: 'step' });
  expect(check?.textContent).toMatch(/Check the server/);
  expect(await screen.findByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost/live/');
  expect(screen.getByLabelText('Stream key')).toHaveProperty('type', 'password');
});

it('marks what is done, skips a step, and leads to the next one', async () => {
  const user = open({ ...nothing, published: true, watched: true });
  expect(await screen.findByText('3 of 7 done')).toBeDefined();
  expect(screen.getAllByText('Done')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Skip Check the server' }));
  await user.click(screen.getByRole('button', { name: 'Skip Public name and HTTPS' }));
  expect(screen.getAllByText('Skipped')).toHaveLength(2);
  const next = within(screen.getByRole('main')).getByRole('listitem', { current: 'step' });
  expect(within(next).getByRole('link', { name: 'Add destination' }).getAttribute('href')).toMatch(/tab=forward$/);
});

it('disappears when everything is done, and stays under its address', async () => {
  const all = { published: true, watched: true, forwarded: true, recorded: true };
  open(all, '?tab=overview');
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  expect(screen.queryByRole('tab', { name: 'Get started' })).toBeNull();
});

it('ends at the stream that is on air', async () => {
  new FakeServer()
    .answer('envs', { rtmpPort: '1935' })
    .answer('status', { ...runningStatus, steps: { ...nothing, published: true } })
    .answer('streams/query', { streams: [activeStream()] });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=start');
  expect(await screen.findByText(/is on air$/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open stream' }).getAttribute('href')).toMatch(/tab=live&stream=/);
});
