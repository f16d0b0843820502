import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeServer } from '../../testing/fake-server.ts';
import { attempt, channel, openTab, path, refused } from './channels.fixture.tsx';

it('shows what became of the last message, and switches a channel off', async () => {
  const server = new FakeServer().answer(path('save'), { id: 'c1' });
  const working = channel({ last: attempt, open: 2 });
  const failing = channel({ id: 'c2', name: 'Phone', service: 'gotify', last: refused });
  const { user } = await openTab([working, failing], server);
  const rowOf = async (name: string) => (await screen.findByRole('button', { name })).closest('li');
  const [first, second] = [await rowOf('Night shift'), await rowOf('Phone')];
  expect(first?.textContent).toContain('Working');
  expect(first?.textContent).toContain('2 problems reported and still there');
  expect(second?.textContent).toContain('Failing');
  expect(second?.textContent).toContain('no_team');
  await user.click(screen.getByRole('switch', { name: 'Night shift' }));
  await waitFor(() => expect(server.callsTo(path('save'))[0]?.body).toMatchObject({ id: 'c1', enabled: false }));
});
