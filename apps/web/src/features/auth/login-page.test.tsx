import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storageKeys } from '../../lib/browser/browser-storage.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { address, renderConsole } from '../../testing/render-console.tsx';

afterEach(() => {
  vi.useRealTimers();
});

it('hides the sign-in form without the flag in the address', async () => {
  new FakeServer();
  renderConsole('/en/routers-login');
  await screen.findByRole('heading', { name: 'Private server' });
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(document.body.textContent).not.toContain('adminSystemBadass');
});

it('shows the password in plain text and keeps the focus when it is masked', async () => {
  new FakeServer();
  const user = renderConsole('/en/routers-login?adminSystemBadass');
  const field = await screen.findByLabelText('Password');
  expect(field).toHaveProperty('type', 'text');
  await user.type(field, 'abc');
  await user.click(screen.getByRole('checkbox', { name: 'Show password' }));
  expect(field).toHaveProperty('type', 'password');
  expect(field).toHaveProperty('value', 'abc');
  expect(document.activeElement).toBe(field);
});

it('opens the scenario page a moment after signing in', async () => {
  const server = new FakeServer().answer('login', session);
  const user = renderConsole('/en/routers-login?adminSystemBadass');
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  await waitFor(() => expect(server.callsTo('login')).toHaveLength(1));
  expect(localStorage.getItem(storageKeys.credentials)).toBeNull();
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  expect(address()).toBe('/en/routers-scenario');
  expect(JSON.parse(localStorage.getItem(storageKeys.credentials) ?? '')).toEqual(session);
  expect(server.callsTo('token')).toHaveLength(0);
});

it('accepts a sign-in response that is a bare token', async () => {
  const server = new FakeServer().answer('login', 'bare');
  const user = renderConsole('/en/routers-login?adminSystemBadass');
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  expect(server.callsTo('status')[0]?.authorization).toBe('Bearer bare');
});

it('explains a wrong password at the field', async () => {
  new FakeServer().refuse('login', 401, 2000);
  const user = renderConsole('/en/routers-login?adminSystemBadass');
  const field = await screen.findByLabelText('Password');
  await user.type(field, 'guess{Enter}');
  await screen.findByText('Incorrect password.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field).toHaveProperty('value', 'guess');
  expect(screen.queryByText('You got an error!')).toBeNull();
});

it('blocks the sign-in form until the waiting time has counted down', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
  const server = new FakeServer().refuse('login', 429, 2000, { 'retry-after': '95' });
  const user = renderConsole('/en/routers-login?adminSystemBadass');
  await user.type(await screen.findByLabelText('Password'), 'guess{Enter}');
  expect(await screen.findByText(/^Too many attempts\. Try again in 1 min 3\d sec\.$/)).toBeDefined();
  const button = screen.getByRole('button', { name: 'Sign in' });
  expect(button).toHaveProperty('disabled', true);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText(/^Too many attempts\. Try again in (3\d|2\d) sec\.$/)).toBeDefined();
  await user.keyboard('{Enter}');
  expect(server.callsTo('login')).toHaveLength(1);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('You can try again now.')).toBeDefined();
  expect(button).toHaveProperty('disabled', false);
});

it('names the command that resets a forgotten password', async () => {
  new FakeServer();
  renderConsole('/en/routers-login?adminSystemBadass');
  expect((await screen.findByText('npm run reset-password')).tagName).toBe('CODE');
});

it('checks a stored session with both calls and continues', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-login');
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  expect(server.callsTo('token')).toMatchObject([
    { body: { token: 'a-token' }, authorization: null },
    { body: {}, authorization: 'Bearer a-bearer' },
  ]);
});

it('links to the sign-in form when the server refuses a stored session', async () => {
  new FakeServer().refuse('token', 401, 2001).answer('login', session);
  saveCredentials(session);
  const user = renderConsole('/en/routers-login');
  await screen.findByRole('heading', { name: 'Your session has expired' });
  expect(screen.getByText('Sign in again to continue.')).toBeDefined();
  expect(localStorage.getItem(storageKeys.credentials)).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Sign in again' }));
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
});
