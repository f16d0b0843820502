import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Providers } from '../../../app/providers.tsx';
import { saveCredentials } from '../../../lib/credentials.ts';
import { createQueryClient } from '../../../lib/query-client.ts';
import { FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';
import { recordingFixture, settingsFixture } from '../recording.fixture.ts';
import { bucketFixture } from './bucket.fixture.ts';
import { BucketForm } from './bucket-form.tsx';

const api = '/terraform/v1/hooks/record';

/** Renders only the form, which is faster than the whole page. */
function openForm(): ReturnType<typeof userEvent.setup> {
  saveCredentials(session);
  render(
    <Providers queries={createQueryClient()}>
      <BucketForm />
    </Providers>,
  );
  return userEvent.setup();
}

it('checks the bucket fields before sending', async () => {
  const server = new FakeServer().answer(`${api}/bucket/query`, bucketFixture());
  const user = openForm();
  await user.click(await screen.findByLabelText('Upload finished recordings to an S3 bucket'));
  await user.click(screen.getByRole('button', { name: 'Save bucket settings' }));
  expect(screen.getByText('Enter the endpoint.')).toBeDefined();
  expect(server.callsTo(`${api}/bucket/apply`)).toHaveLength(0);
});

const saved = bucketFixture({
  enabled: true,
  endpoint: 'http://10.0.0.2:9000',
  bucket: 'shows',
  accessKeyId: 'KEY',
  secretAccessKey: '••••••••wxyz',
});

it('tests the bucket and explains the failure', async () => {
  const server = new FakeServer().answer(`${api}/bucket/query`, saved);
  const user = openForm();
  server.answer(`${api}/bucket/test`, { step: 'write', failure: 'no-bucket', error: 'the storage responded with 404' });
  await user.click(await screen.findByRole('button', { name: 'Test connection' }));
  expect((await screen.findByRole('alert')).textContent).toContain("The bucket doesn't exist.");
  server.answer(`${api}/bucket/test`, { step: '', failure: '', error: '' });
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/The bucket works/)).toBeDefined();
});

it('saves changed fields and keeps the masked secret', async () => {
  const server = new FakeServer().answer(`${api}/bucket/query`, saved).answer(`${api}/bucket/apply`, null);
  const user = openForm();
  await user.selectOptions(await screen.findByLabelText('Local recording'), 'remove');
  await user.click(screen.getByRole('button', { name: 'Save bucket settings' }));
  await waitFor(() => expect(server.callsTo(`${api}/bucket/apply`)).toHaveLength(1));
  expect(server.callsTo(`${api}/bucket/apply`)[0]?.body).toMatchObject({
    enabled: true,
    keepLocal: false,
    endpoint: 'http://10.0.0.2:9000',
    bucket: 'shows',
    secretAccessKey: '••••••••wxyz',
  });
});

it('shows waiting uploads with the reason, and retries on request', async () => {
  const backlog = { files: 3, bytes: 5e6, since: '2026-03-01T08:00:00Z', failure: 'no-connection' as const };
  const waiting = { ...backlog, error: 'the connection was refused', nextTry: '2026-03-01T08:01:00Z', lost: 0 };
  const server = new FakeServer().answer(`${api}/bucket/query`, bucketFixture({ backlog: waiting }));
  const user = openForm();
  expect(await screen.findByText('3 files waiting to upload, 5 MB')).toBeDefined();
  expect(screen.getByText(/The storage service is not responding/)).toBeDefined();
  server.answer(`${api}/bucket/retry`, null);
  await user.click(screen.getByRole('button', { name: 'Retry now' }));
  expect(server.callsTo(`${api}/bucket/retry`)).toHaveLength(1);
});

it('shows the upload progress in the row of a recording', async () => {
  const upload = { key: 'live/show/1.mp4', bucket: 'shows', bytes: 5, tries: 1, error: '', nextTry: '', doneAt: '' };
  const rows = [
    recordingFixture({ uuid: 'a', upload: { ...upload, state: 'done', percent: 100, failure: '' } }),
    recordingFixture({ uuid: 'b', upload: { ...upload, state: 'uploading', percent: 40, failure: '' } }),
    recordingFixture({ uuid: 'c', upload: { ...upload, state: 'waiting', percent: 0, failure: 'denied' } }),
  ];
  const server = new FakeServer().answer(`${api}/bucket/query`, bucketFixture());
  server.answer(`${api}/query`, settingsFixture({ all: true })).answer(`${api}/files`, rows);
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=record');
  expect(await screen.findByText('Uploaded')).toBeDefined();
  expect(screen.getByText('shows/live/show/1.mp4')).toBeDefined();
  expect(screen.getByText('Uploading 40 %')).toBeDefined();
  expect(screen.getByText(/this key has no permission/)).toBeDefined();
});
