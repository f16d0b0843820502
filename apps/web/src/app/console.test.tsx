import { act, screen, waitFor, within } from '@testing-library/react';
import { overviewTimes } from '@weir/contract';
import { StrictMode } from 'react';
import { expect, it, vi } from 'vitest';
import { storageKeys } from '../lib/browser/browser-storage.ts';
import { saveCredentials } from '../lib/credentials.ts';
import { FakeServer, session } from '../testing/fake-server.ts';
import { address, renderConsole } from '../testing/render-console.tsx';

it('requests envs first and without credentials', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  await screen.findByRole('region', { name: 'Addresses' });
  expect(server.calls.slice(0, 3).map((call) => call.path)).toEqual(['envs', 'check', 'init']);
  expect(server.calls[0]).toMatchObject({ body: { locale: 'en' }, authorization: null });
});

it('requests everything a page needs at once, and only once', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  const startedMs = performance.now();
  renderConsole('/en/routers-scenario?tab=overview');
  const asked = ['envs', 'check', 'init', 'streams/overview', 'status', 'streams/query', 'server/now'];
  // No answer has arrived and nothing is rendered yet.
  expect(server.calls.map((call) => call.path)).toEqual(asked);
  await screen.findByRole('region', { name: 'Addresses' });
  // On a busy machine the page may ask again by the time it is rendered.
  const polls = Math.floor((performance.now() - startedMs) / overviewTimes.pollMs);
  for (const path of asked) expect([path, server.callsTo(path).length <= 1 + polls]).toEqual([path, true]);
});

it('requests no status or streams before sign-in', async () => {
  const server = new FakeServer();
  renderConsole('/en/routers-scenario?tab=overview');
  await screen.findByRole('heading', { name: 'Private server' });
  expect(server.callsTo('status').length + server.callsTo('streams/query').length).toBe(0);
});

it('shows the five links only after sign-in', async () => {
  new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-contact');
  await screen.findByRole('heading', { name: 'Contact' });
  const nav = await screen.findByRole('navigation', { name: 'Main' });
  const links = within(nav).getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['Scenario', 'System', 'Component', 'Contact', 'Logout']);
  expect(within(nav).getByRole('link', { current: 'page' }).textContent).toBe('Contact');
  act(() => localStorage.removeItem(storageKeys.credentials));
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.credentials }));
  });
  await screen.findByRole('heading', { name: 'Private server' });
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('switches the language in place and keeps typed text', async () => {
  new FakeServer();
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=beian');
  const field = await screen.findByRole('textbox', { name: 'Site title' });
  await user.type(field, 'Studio');
  await user.click(screen.getByRole('button', { name: '中文' }));
  expect(await screen.findByRole('textbox', { name: '站点标题' })).toBe(field);
  expect(field).toHaveProperty('value', 'Studio');
  expect(address()).toBe('/zh/routers-settings?tab=beian');
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(localStorage.getItem(storageKeys.locale)).toBe('{"lang":"zh"}');
  await user.click(screen.getByRole('button', { name: 'English' }));
  await screen.findByRole('textbox', { name: 'Site title' });
});

it('keeps the query when it redirects to a language', async () => {
  new FakeServer();
  renderConsole('/?adminSystemBadass');
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeDefined();
  expect(address()).toMatch(/^\/en\/routers-login\?adminSystemBadass/);
});

it('reports an unreachable server and opens when it answers', async () => {
  const server = new FakeServer();
  server.isDown = true;
  renderConsole('/en/routers-login');
  expect(await screen.findByRole('heading', { name: 'The server is not responding' })).toBeDefined();
  server.isDown = false;
  expect(await screen.findByRole('heading', { name: 'Private server' })).toBeDefined();
});

it('reports a failed action above the page and keeps typed text', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=beian');
  const field = await screen.findByRole('textbox', { name: 'Footer text' });
  await user.type(field, 'ICP 1');
  server.refuse('beian/update', 422, 1004);
  await user.click(screen.getByRole('button', { name: 'Save footer text' }));
  const alert = await screen.findByText('You got an error!');
  expect(alert).toBeDefined();
  expect(screen.getByText('Error Code: 1004')).toBeDefined();
  expect(field).toHaveProperty('value', 'ICP 1');
  await user.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.queryByText('You got an error!')).toBeNull();

  server.answer('beian/update', null);
  await user.click(screen.getByRole('button', { name: 'Save footer text' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(screen.getByRole('link', { name: 'ICP 1' })).toHaveProperty('rel', 'noopener noreferrer');
});

it('shows a failing poll as a chip until it recovers', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-components');
  await screen.findByText('Connected');
  await screen.findByText('v0.2.0');
  server.isDown = true;
  act(() => {
    // Simulates a new sign-in in another tab; the status must be fetched at once.
    localStorage.setItem(storageKeys.credentials, '"other"');
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.credentials }));
  });
  expect((await screen.findAllByText(/^Out of date since \d\d:\d\d:\d\d, retrying$/)).length).toBeGreaterThan(0);
  expect(screen.queryByText('You got an error!')).toBeNull();
  expect(screen.getByText('v0.2.0')).toBeDefined();
  server.isDown = false;
  await screen.findByText('Connected');
});

it.each([
  [1007, 500, 'Redis is not ready now, please retry later'],
  [3001, 500, /use a hosting panel or a certificate tool to configure HTTPS/],
  [1, 500, /^Server error\./],
  [777, 418, 'The server rejected the request.'],
])('explains a load that fails with code %d above the page', async (code, status, words) => {
  const server = new FakeServer().refuse('limits/query', status, code);
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=limits');
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.getByText(`Error Code: ${code}`)).toBeDefined();
  expect(screen.getByText('Loading failed')).toBeDefined();
  expect(screen.queryByText('No response, retrying')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.queryByText('You got an error!')).toBeNull();
  expect(server.callsTo('limits/query').length).toBeGreaterThan(0);
});

it('withdraws the alert of a poll that recovers, and does not repeat a dismissed one', async () => {
  const server = new FakeServer().refuse('limits/query', 500, 1007);
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=limits');
  await screen.findByText('You got an error!');
  await user.click(screen.getByRole('button', { name: 'OK' }));
  const calls = server.callsTo('limits/query').length;
  await waitFor(() => expect(server.callsTo('limits/query').length).toBeGreaterThan(calls));
  expect(screen.queryByText('Redis is not ready now, please retry later')).toBeNull();
  server.refuse('limits/query', 500, 1);
  await screen.findByText(/^Server error\./);
  server.answer('limits/query', { vlive: 1, camera: 2 });
  await waitFor(() => expect(screen.queryByText(/^Server error\./)).toBeNull());
  expect(await screen.findByDisplayValue('1')).toBeDefined();
});

it('ignores a failing status poll', async () => {
  const server = new FakeServer().refuse('status', 500, 1007);
  saveCredentials(session);
  renderConsole('/en/routers-contact');
  await screen.findByRole('heading', { name: 'Contact' });
  await waitFor(() => expect(server.callsTo('status').length).toBeGreaterThan(1));
  expect(screen.queryByText('You got an error!')).toBeNull();
});

it('explains why the console cannot open', async () => {
  new FakeServer().refuse('check', 500, 1007);
  renderConsole('/en/routers-login');
  expect(await screen.findByRole('heading', { name: 'You got an error!' })).toBeDefined();
  expect(screen.getByText('Redis is not ready now, please retry later')).toBeDefined();
});

it('signs in again in place after an expired session and keeps typed text', async () => {
  const server = new FakeServer().answer('login', { ...session, bearer: 'another' });
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=beian');
  const field = await screen.findByRole('textbox', { name: 'Site title' });
  await user.type(field, 'half a sentence');
  server.refuse('beian/update', 401, 2001);
  await user.click(screen.getByRole('button', { name: 'Save site title' }));
  await screen.findByText(/^Token expired, please/);
  expect(screen.getByRole('link', { name: 'login' }).getAttribute('href')).toBe('/mgmt/en/routers-logout');
  await user.click(screen.getByRole('button', { name: 'Sign in here' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in' }));
  await user.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  await waitFor(() => expect(screen.queryByText('You got an error!')).toBeNull());
  expect(address()).toBe('/en/routers-settings?tab=beian');
  expect(field).toHaveProperty('value', 'half a sentence');
  server.answer('beian/update', null);
  await user.click(screen.getByRole('button', { name: 'Save site title' }));
  await screen.findByText('Saved');
  expect(server.callsTo('beian/update').at(-1)?.authorization).toBe('Bearer another');
});

it('keeps typed text across pages and a new sign-in until sign-out', async () => {
  const server = new FakeServer().answer('login', session);
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=beian');
  await user.type(await screen.findByRole('textbox', { name: 'Site title' }), 'half');
  await user.click(screen.getByRole('link', { name: 'Contact' }));
  await screen.findByRole('heading', { name: 'Contact' });
  await user.click(screen.getByRole('link', { name: 'System' }));
  expect(address()).toBe('/en/routers-settings?tab=beian');
  const field = await screen.findByRole('textbox', { name: 'Site title' });
  expect(field).toHaveProperty('value', 'half');

  server.refuse('beian/update', 401, 2001);
  await user.click(screen.getByRole('button', { name: 'Save site title' }));
  await user.click(await screen.findByRole('link', { name: 'login' }));
  await screen.findByText('Sign in again to continue. Your input is kept.');
  await user.click(screen.getByRole('link', { name: 'Sign in again' }));
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  await user.click(screen.getByRole('link', { name: 'System' }));
  expect(await screen.findByRole('textbox', { name: 'Site title' })).toHaveProperty('value', 'half');

  vi.stubGlobal('confirm', () => true);
  await user.click(screen.getByRole('link', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Private server' });
  act(() => void saveCredentials(session));
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  await user.click(screen.getByRole('link', { name: 'System' }));
  await user.click(await screen.findByRole('tab', { name: 'Site texts' }));
  expect(await screen.findByRole('textbox', { name: 'Site title' })).toHaveProperty('value', '');
});

it('alerts about an expired session in the record query, then signs out without confirmation', async () => {
  const server = new FakeServer().refuse('/terraform/v1/hooks/record/query', 401, 2001);
  server.answer('/terraform/v1/hooks/record/files', []);
  const [alert, confirm] = [vi.fn(), vi.fn()];
  vi.stubGlobal('alert', alert);
  vi.stubGlobal('confirm', confirm);
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=record');
  await screen.findByRole('heading', { name: 'Your session has expired' });
  expect(alert).toHaveBeenCalledExactlyOnceWith('Token expired, please log in again\nError Code: 2001\nrefused');
  expect(confirm).not.toHaveBeenCalled();
  expect(localStorage.getItem(storageKeys.credentials)).toBeNull();
  expect(address()).toBe('/en/routers-login');
});

it('hides the shell in popout mode and reports an unknown app', async () => {
  new FakeServer();
  renderConsole('/en/routers-popout?popout=1&app=nothing');
  expect(await screen.findByRole('heading', { name: 'Invalid app nothing' })).toBeDefined();
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('contentinfo')).toBeNull();
});

it('shows the site title on the page and in the window title', async () => {
  new FakeServer().answer('beian/query', { title: 'Studio One' });
  renderConsole('/en/routers-login');
  await within(await screen.findByRole('banner')).findByText('Studio One');
  await waitFor(() => expect(document.title).toBe('Studio One'));
});

it('confirms sign-out once and deletes the credentials', async () => {
  const server = new FakeServer();
  const confirm = vi.fn(() => true);
  vi.stubGlobal('confirm', confirm);
  saveCredentials(session);
  renderConsole('/en/routers-logout', StrictMode);
  await screen.findByRole('heading', { name: 'Private server' });
  expect(confirm).toHaveBeenCalledExactlyOnceWith('Sign out of this console on this browser?');
  expect(localStorage.getItem(storageKeys.credentials)).toBeNull();
  expect(address()).toBe('/en/routers-login');
  expect(server.callsTo('logout')[0]?.authorization).toBe('Bearer a-bearer');
});
