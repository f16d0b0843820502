import { screen, waitFor } from '@testing-library/react';
import { type BackupStatus, noBucket, type RestorePlan } from '@weir/contract';
import { expect, it, onTestFinished } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = 'backup';
const { enabled: _enabled, keepLocal: _keepLocal, ...bucket } = noBucket;
const status = (change: Partial<BackupStatus> = {}): BackupStatus => ({
  settings: {
    schedule: 'daily',
    weekday: 0,
    time: '03:30',
    destination: 'directory',
    keep: 7,
    recordings: true,
    bucket,
  },
  recipient: '',
  keyCreatedAt: '',
  directory: '/srv/backups',
  running: false,
  last: null,
  next: '',
  files: [],
  ...change,
});

it('shows a new recovery key until it is stored, and the last result', async () => {
  const server = new FakeServer().answer(`${api}/query`, status());
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=backup');
  const identity = 'AGE-SECRET-KEY-1EXAMPLE';
  server.answer(`${api}/key`, { identity, recipient: 'age1example' });
  await user.click(await screen.findByRole('button', { name: 'Create recovery key' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your recovery key' });
  expect(dialog.textContent).toContain('shown only now');
  expect(screen.getByDisplayValue(identity)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Done' }).hasAttribute('disabled')).toBe(true);
  const failed = { at: '2026-03-01T03:30:00Z', ok: false, name: 'x', bytes: 0, tookMs: 5, error: 'responded with 404' };
  const last = { ...failed, failure: 'storage', storage: 'no-bucket' } as const;
  server.answer(`${api}/query`, status({ recipient: 'age1example', keyCreatedAt: '2026-03-01T00:00:00Z', last }));
  await user.click(screen.getByRole('checkbox', { name: 'I have stored the key outside this server' }));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(
    await screen.findByText("The bucket doesn't exist. Create it with your provider, or check its name."),
  ).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

/** Uploads nothing and says that it did. */
class FakeUpload {
  status = 0;
  response: unknown;
  responseType = '';
  readonly upload = {};
  onload = () => undefined;
  open = () => undefined;
  setRequestHeader = () => undefined;
  send() {
    this.status = 200;
    this.onload();
  }
}

it('asks for file and key, says why a backup is refused, and lists in words what a restore changes', async () => {
  const real = globalThis.XMLHttpRequest;
  Object.assign(globalThis, { XMLHttpRequest: FakeUpload });
  onTestFinished(() => void Object.assign(globalThis, { XMLHttpRequest: real }));
  const server = new FakeServer().answer(`${api}/query`, status());
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=backup');
  await user.click(await screen.findByRole('button', { name: 'Check backup' }));
  expect(screen.getByText('Choose a backup file.')).toBeDefined();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file input');
  await user.upload(input, new File(['x'], 'one.weir.age'));
  await user.click(screen.getByRole('button', { name: 'Check backup' }));
  expect(screen.getByText('Enter the recovery key.')).toBeDefined();
  await user.type(screen.getByLabelText('Recovery key', { selector: 'input' }), 'AGE-SECRET-KEY-1EXAMPLE');
  const plan: RestorePlan = {
    id: 'plan',
    createdAt: '2026-03-01T00:00:00Z',
    version: '1.0.0',
    bytes: 12_000,
    changes: [{ part: 'forward', added: 2, changed: 0, removed: 1 }],
    password: true,
    apiSecret: true,
    certificate: 'replaced',
    broadcasts: { before: 3, after: 12 },
    transcripts: null,
    recordings: false,
  };
  server.answer(`${api}/inspect`, plan);
  await user.click(screen.getByRole('button', { name: 'Check backup' }));
  expect(await screen.findByText('2 added, 1 removed')).toBeDefined();
  expect(screen.getByText('3 now, 12 after')).toBeDefined();
  expect(screen.getByText('After the restore, sign in with the password of the backup')).toBeDefined();
  expect(server.callsTo(`${api}/inspect`)[0]?.body).toEqual({ key: 'AGE-SECRET-KEY-1EXAMPLE' });
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByRole('dialog', { name: 'Replace the settings of this server?' })).toBeDefined();
  expect(server.callsTo(`${api}/restore`)).toEqual([]);
});
