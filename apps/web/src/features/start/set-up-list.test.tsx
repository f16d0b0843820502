import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, runningStatus, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

it('leads from the server to the first stream, with steps that can all be skipped', async () => {
  const steps = { published: false, watched: false, forwarded: false, recorded: false };
  new FakeServer().answer('envs', { rtmpPort: '1935' }).answer('status', { ...runningStatus, steps });
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=start');
  await screen.findByText('1 of 7 done');
  for (const step of ['Check the server', 'Public name and HTTPS', 'Publish', 'Watch', 'Forward', 'Record'])
    await user.click(screen.getByRole('button', { name: `Skip ${step}` }));
  expect(screen.getAllByText('Skipped')).toHaveLength(6);
  expect(within(screen.getByRole('main')).queryByRole('listitem', { current: 'step' })).toBeNull();
});
