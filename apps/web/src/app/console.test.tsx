import { act, screen, waitFor, within } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../lib/credentials.ts';
import { storageKeys } from '../lib/storage.ts';
import { FakeServer, session } from '../testing/fake-server.ts';
import { address, renderConsole } from '../testing/render-console.tsx';

it('asks envs without a credential before anything else', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  await screen.findByRole('region', { name: 'Addresses' });
  expect(server.calls.slice(0, 3).map((call) => call.path)).toEqual(['envs', 'check', 'init']);
  expect(server.calls[0]).toMatchObject({ body: { locale: 'en' }, authorization: null });
});

it('shows the five links only to whoever is signed in', async () => {
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

it('switches the language in place and keeps what was typed', async () => {
  new FakeServer();
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=beian');
  const field = await screen.findByRole('textbox', { name: 'Site title' });
  await user.type(field, 'Studio');
  await user.click(screen.getByRole('radio', { name: '中文' }));
  expect(await screen.findByRole('textbox', { name: '站点标题' })).toBe(field);
  expect(field).toHaveProperty('value', 'Studio');
  expect(address()).toBe('/zh/routers-settings?tab=beian');
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(localStorage.getItem(storageKeys.locale)).toBe('{"lang":"zh"}');
  await user.click(screen.getByRole('radio', { name: 'English' }));
  await screen.findByRole('textbox', { name: 'Site title' });
});

it('keeps the query while it finds the language', async () => {
  new FakeServer();
  renderConsole('/?adminSystemBadass');
  expect(await screen.findByRole('button', { name: 'Login' })).toBeDefined();
  expect(address()).toMatch(/^\/en\/routers-login\?adminSystemBadass/);
});

it('says that the server is silent and opens by itself when it answers', async () => {
  const server = new FakeServer();
  server.isDown = true;
  renderConsole('/en/routers-login');
  expect(await screen.findByRole('heading', { name: 'The server is not answering' })).toBeDefined();
  server.isDown = false;
  expect(await screen.findByRole('heading', { name: 'Private server' }, { timeout: 4000 })).toBeDefined();
});

it('tells a failed action above the page and loses nothing of it', async () => {
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

it('turns a failing poll into a quiet chip that goes away by itself', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-components');
  await screen.findByText('Connected');
  server.isDown = true;
  act(() => {
    // Another tab signed in again: the status is asked for at once.
    localStorage.setItem(storageKeys.credentials, '"other"');
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.credentials }));
  });
  expect((await screen.findAllByText(/^Stale since \d\d:\d\d:\d\d, retrying$/)).length).toBeGreaterThan(0);
  expect(screen.queryByText('You got an error!')).toBeNull();
  expect(screen.getByText('v0.2.0')).toBeDefined();
  server.isDown = false;
  await screen.findByText('Connected', {}, { timeout: 4000 });
});

it('has no shell in popout mode and names an app that does not exist', async () => {
  new FakeServer();
  renderConsole('/en/routers-popout?popout=1&app=nothing');
  expect(await screen.findByRole('heading', { name: 'Invalid app nothing' })).toBeDefined();
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('contentinfo')).toBeNull();
});

it('takes the site title for page and window', async () => {
  new FakeServer().answer('beian/query', { title: 'Studio One' });
  renderConsole('/en/routers-login');
  await within(await screen.findByRole('banner')).findByText('Studio One');
  await waitFor(() => expect(document.title).toBe('Studio One'));
});

it('asks once before signing out and forgets the credential', async () => {
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
