import { screen, waitFor, within } from '@testing-library/react';
import type { HookDelivery, Hooks } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const none: Hooks = {
  target: '',
  opaque: '',
  all: false,
  host: '',
  verifyTls: true,
  ownNetwork: false,
  secret: 'key-of-the-signature',
  req: '',
  res: '',
  status: 0,
  failure: '',
  fact: '',
  said: '',
  error: '',
  tookMs: 0,
  triedAt: '',
  waiting: 0,
};

const delivery: HookDelivery = {
  request_id: 'r1',
  action: 'on_unpublish',
  stream: 'live/show',
  state: 'waiting',
  attempts: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  triedAt: '2026-01-01T00:00:05.000Z',
  nextAt: '2026-01-01T00:00:09.000Z',
  status: 0,
  tookMs: 12,
  failure: 'no-connection',
  fact: 'ECONNREFUSED',
  said: '',
  error: 'the connection was refused',
  req: '{}',
  res: '',
};

const newServer = (hooks: Partial<Hooks> = {}, deliveries: HookDelivery[] = []) =>
  new FakeServer().answer('hooks/query', { ...none, ...hooks }).answer('hooks/deliveries', { deliveries });

function openTab() {
  saveCredentials(session);
  return renderConsole('/en/routers-settings?tab=callback');
}

/** Pastes, because typing would render the form for every letter. */
async function fill(user: ReturnType<typeof openTab>, field: HTMLElement, text: string) {
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
}

it('proposes the example receiver and saves the chosen target', async () => {
  const server = newServer().answer('hooks/apply', null);
  const user = openTab();
  const target = await screen.findByLabelText('Callback URL');
  expect(target).toHaveProperty('value', `${window.location.origin}/terraform/v1/mgmt/hooks/example?fail=false`);
  await fill(user, target, ' https://receiver.test/x ');
  await fill(user, screen.getByLabelText('Callback token (opaque)'), 'studio');
  await user.click(screen.getByLabelText(/^Accept untrusted certificates/));
  await user.click(screen.getByLabelText(/^Send all events/));
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save callback settings' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo('hooks/apply')[0]?.body).toEqual({
    target: 'https://receiver.test/x',
    opaque: 'studio',
    all: true,
    verifyTls: false,
    ownNetwork: false,
    host: window.location.origin,
  });
});

it('keeps the host that a script has set, and accepts another', async () => {
  const target = 'https://receiver.test/x';
  const server = newServer({ target, host: 'https://live.test' }).answer('hooks/apply', null);
  const user = openTab();
  const save = () => user.click(screen.getByRole('button', { name: 'Save callback settings' }));
  const host = await screen.findByLabelText('Public URL of this server');
  expect(host).toHaveProperty('value', 'https://live.test');
  await save();
  await waitFor(() => expect(server.callsTo('hooks/apply')[0]?.body).toMatchObject({ host: 'https://live.test' }));
  await fill(user, host, 'live.test');
  await save();
  expect(await screen.findByText(/or leave the field empty\.$/)).toBeDefined();
  await fill(user, host, 'http://10.0.0.7:2022');
  await save();
  await waitFor(() => expect(server.callsTo('hooks/apply')[1]?.body).toMatchObject({ host: 'http://10.0.0.7:2022' }));
});

it('resets the exceptions of one target when another is typed', async () => {
  newServer({ target: 'https://receiver.test/x', verifyTls: false, ownNetwork: true });
  const user = openTab();
  const anyCertificate = await screen.findByLabelText(/^Accept untrusted certificates/);
  const ownNetwork = screen.getByLabelText(/^Allow host names/);
  const target = screen.getByLabelText('Callback URL');
  await fill(user, target, 'https://receiver.test/y');
  expect([anyCertificate, ownNetwork]).toMatchObject([{ checked: true }, { checked: true }]);
  await fill(user, target, 'https://elsewhere.test/x');
  const again = screen.getByLabelText(/^Accept untrusted certificates/);
  expect([again, ownNetwork]).toMatchObject([{ checked: false }, { checked: false }]);
});

it('explains an invalid target and sends nothing', async () => {
  const server = newServer();
  const user = openTab();
  const target = await screen.findByLabelText('Callback URL');
  await fill(user, target, 'receiver.test');
  await user.click(screen.getByRole('button', { name: 'Save callback settings' }));
  expect(await screen.findByText(/^Enter a full URL/)).toBeDefined();
  await user.clear(target);
  await user.click(screen.getByLabelText(/^Send all events/));
  await user.click(screen.getByRole('button', { name: 'Save callback settings' }));
  expect(await screen.findByText(/^Enter the callback URL/)).toBeDefined();
  expect(server.callsTo('hooks/apply')).toHaveLength(0);
});

it('keeps the typed fields when saving fails', async () => {
  newServer({ target: 'https://old.test/' }).refuse('hooks/apply', 500, 1007);
  const user = openTab();
  const target = await screen.findByLabelText('Callback URL');
  await fill(user, target, 'https://new.test/');
  await user.click(screen.getByRole('button', { name: 'Save callback settings' }));
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(target).toHaveProperty('value', 'https://new.test/');
  expect(screen.getByText('Unsaved changes')).toBeDefined();
});

it('opens the delivery state while callbacks are on', async () => {
  newServer({
    target: 'https://receiver.test/x',
    all: true,
    req: '{"action":"on_publish","app":"live"}',
    res: '{"code":7}',
    status: 200,
    failure: 'code',
    fact: '7',
    said: 'no money',
    error: 'it answered code 7: no money',
    tookMs: 31,
    triedAt: '2026-01-01T00:00:00.000Z',
  });
  openTab();
  const state = within(await screen.findByRole('region', { name: 'Current state' }));
  expect(state.getByText('Active')).toBeDefined();
  expect(state.getByText('https://receiver.test/x')).toBeDefined();
  expect(state.getByText('The receiver rejected the event (code 7).')).toBeDefined();
  expect(state.getByText('Message: no money')).toBeDefined();
  expect(state.getByText('31 ms')).toBeDefined();
  expect(state.getByRole('region', { name: 'Last request' }).textContent).toContain('  "action": "on_publish"');
  expect(state.getByRole('region', { name: 'Last response' }).textContent).toBe('{\n  "code": 7\n}');
});

it('repeats a delivery, except one that a publisher waited for', async () => {
  const refused: HookDelivery = { ...delivery, request_id: 'r2', action: 'on_publish', state: 'refused', nextAt: '' };
  const server = newServer({ target: 'http://10.0.0.1/' }, [delivery, refused]).answer('hooks/retry', null);
  const user = openTab();
  const table = within(await screen.findByRole('table', { name: 'Deliveries' }));
  expect(table.getAllByText('The receiver refused the connection. Check that it is running.')).toHaveLength(2);
  expect(table.getByText(/^Next attempt at \d\d:\d\d:\d\d$/)).toBeDefined();
  expect(table.getByText('Rejected')).toBeDefined();
  expect(table.getAllByRole('button')).toHaveLength(1);
  await user.click(table.getByRole('button', { name: 'Retry on_unpublish live/show' }));
  expect(await screen.findByText('Event sent again')).toBeDefined();
  expect(server.callsTo('hooks/retry')[0]?.body).toEqual({ request_id: 'r1' });
  await waitFor(() => expect(server.callsTo('hooks/deliveries').length).toBeGreaterThan(1));
});

it('sends a test event and shows its result', async () => {
  const server = newServer({ target: 'https://receiver.test/x' });
  server.answer('hooks/test', {
    ...delivery,
    action: 'on_test',
    state: 'refused',
    failure: 'status',
    fact: '404',
    error: 'it answered 404',
  });
  const user = openTab();
  const test = await screen.findByRole('button', { name: 'Send test event' });
  await user.click(test);
  const beside = within(test.parentElement ?? document.body);
  expect(
    await beside.findByText('Test event failed. The receiver responded with status 404 instead of 200.'),
  ).toBeDefined();
  server.answer('hooks/test', { ...delivery, action: 'on_test', state: 'delivered', failure: '', fact: '' });
  await user.click(screen.getByRole('button', { name: 'Send test event' }));
  expect(await beside.findByText('Test event delivered in 12 ms')).toBeDefined();
});

it('creates a new signing key only after a confirmation', async () => {
  const server = newServer().answer('hooks/rotate', { secret: 'another-key' });
  const user = openTab();
  const key = await screen.findByLabelText('Signing key', { selector: 'input' });
  expect(key).toHaveProperty('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Generate new key' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(server.callsTo('hooks/rotate')).toHaveLength(0);
  await user.click(await dialog.findByRole('button', { name: 'Generate new key' }));
  expect(await screen.findByText('New key generated')).toBeDefined();
});
