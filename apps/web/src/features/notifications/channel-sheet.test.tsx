import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeServer } from '../../testing/fake-server.ts';
import { openTab, path, refused } from './channels.fixture.tsx';

it('adds a channel, which is tried before it is saved', async () => {
  const server = new FakeServer().answer(path('test'), refused).answer(path('save'), { id: 'c1' });
  const { user } = await openTab([], server);
  await user.click(await screen.findByRole('button', { name: 'Add channel' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  await user.click(sheet.getByRole('button', { name: 'Add' }));
  expect(await sheet.findByText('Enter a name.')).toBeTruthy();
  expect(server.callsTo(path('save'))).toHaveLength(0);
  await user.type(sheet.getByLabelText('Name'), 'Ops');
  await user.type(sheet.getByLabelText('Mail server'), 'mail.example.com');
  await user.type(sheet.getByLabelText('Sender'), 'weir@example.com');
  await user.type(sheet.getByLabelText('Recipients'), 'ops@example.com');
  await user.click(sheet.getByRole('button', { name: 'Send test message' }));
  expect(await sheet.findByText(/The service refused it \(status 404\)\. Answer of the service: no_team/)).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(server.callsTo(path('save'))).toHaveLength(1));
  expect(server.callsTo(path('save'))[0]?.body).toMatchObject({
    name: 'Ops',
    service: 'email',
    language: 'en',
    fields: { host: 'mail.example.com', port: '587', security: 'starttls', recipients: 'ops@example.com' },
    rules: { severity: 'all', digest: 'none', resolved: true },
  });
});
