import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type BackupStatus, noBucket } from '@weir/contract';
import { expect, it } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { saveCredentials } from '../../lib/credentials.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { ScheduleForm } from './schedule-form.tsx';

const { enabled: _enabled, keepLocal: _keepLocal, ...bucket } = noBucket;
const status: BackupStatus = {
  settings: { schedule: 'off', weekday: 0, time: '03:30', destination: 'directory', keep: 7, recordings: true, bucket },
  recipient: 'age1x',
  keyCreatedAt: '2026-03-01T00:00:00Z',
  directory: '/srv/backups',
  running: false,
  last: null,
  next: '',
  files: [],
};
const api = 'backup';

it('saves a weekly schedule to a bucket after its fields are complete, and shows the result of a test', async () => {
  const server = new FakeServer().answer(`${api}/query`, status).answer(`${api}/apply`, null);
  saveCredentials(session);
  render(
    <Providers queries={createQueryClient()}>
      <ScheduleForm status={status} />
    </Providers>,
  );
  const user = userEvent.setup();
  expect(await screen.findByText(/\/srv\/backups/)).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Automatic backup'), 'weekly');
  await user.selectOptions(screen.getByLabelText('Day'), '3');
  await user.selectOptions(screen.getByLabelText('Destination'), 'bucket');
  await user.click(screen.getByRole('button', { name: 'Save schedule' }));
  expect(screen.getByText('Enter the endpoint.')).toBeDefined();
  await user.type(screen.getByLabelText('Endpoint'), 'http://10.0.0.2:9000');
  await user.type(screen.getByLabelText('Bucket'), 'backups');
  await user.type(screen.getByLabelText('Access key'), 'KEY');
  await user.type(screen.getByLabelText('Secret key'), 'secret');
  server.answer(`${api}/test`, { step: 'write', failure: 'wrong-key', error: 'the storage responded with 403' });
  await user.click(screen.getByRole('button', { name: 'Test destination' }));
  expect((await screen.findByRole('alert')).textContent).toContain('the storage responded with 403');
  await user.click(screen.getByRole('button', { name: 'Save schedule' }));
  await waitFor(() => expect(server.callsTo(`${api}/apply`)).toHaveLength(1));
  expect(server.callsTo(`${api}/apply`)[0]?.body).toMatchObject({
    schedule: 'weekly',
    weekday: 3,
    destination: 'bucket',
    bucket: { endpoint: 'http://10.0.0.2:9000', bucket: 'backups', accessKeyId: 'KEY', secretAccessKey: 'secret' },
  });
});
