import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, runningStatus, session } from '../../testing/fake-server.ts';
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
  expect(screen.getByText('0 of 4 done')).toBeDefined();
  const [publish] = within(screen.getByRole('main')).getAllByRole('listitem', { current: 'step' });
  expect(publish?.textContent).toMatch(/Publish/);
  expect(await screen.findByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost/live/');
  expect(screen.getByLabelText('Stream key')).toHaveProperty('type', 'password');
});

it('marks what is done, and leads to the next step', async () => {
  open({ ...nothing, published: true, watched: true });
  expect(await screen.findByText('2 of 4 done')).toBeDefined();
  expect(screen.getAllByText('Done')).toHaveLength(2);
  const next = within(screen.getByRole('main')).getByRole('listitem', { current: 'step' });
  expect(within(next).getByRole('link', { name: 'Add destination' }).getAttribute('href')).toMatch(/tab=forward$/);
});

it('disappears when everything is done, and stays under its address', async () => {
  const all = { published: true, watched: true, forwarded: true, recorded: true };
  open(all, '?tab=overview');
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  expect(screen.queryByRole('tab', { name: 'Get started' })).toBeNull();
});
