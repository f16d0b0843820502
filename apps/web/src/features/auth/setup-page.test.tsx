import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { address, renderConsole } from '../../testing/render-console.tsx';

function newServer(): FakeServer {
  const server = new FakeServer().answer('check', { upgrading: false, init: false });
  server.answers.set('init', ({ body }) => ({ body: { code: 0, data: body ? session : { init: false }, server: 1 } }));
  return server;
}

it('suggests a password and sends it with the set-up code of the address', async () => {
  const server = newServer();
  const user = renderConsole('/en/routers-login?code=one-time');
  const field = await screen.findByLabelText('Administrator password');
  expect(field).toHaveProperty('type', 'text');
  const suggested = field instanceof HTMLInputElement ? field.value : '';
  expect(suggested).toMatch(/^[0-9a-f]{16}$/);
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
  expect(server.callsTo('init').at(-1)?.body).toEqual({ password: suggested, code: 'one-time' });
  expect(address()).toBe('/en/routers-scenario');
});

it('waits with the set-up until the server has upgraded', async () => {
  newServer().answer('check', { upgrading: true, init: false });
  renderConsole('/en/routers-setup');
  expect(await screen.findByRole('button', { name: 'Set up' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/being upgraded/)).toBeDefined();
});

it('masks the password during the set-up and ignores further submits', async () => {
  const server = newServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = renderConsole('/en');
  const field = await screen.findByLabelText('Administrator password');
  server.answers.set('init', async () => {
    await promise;
    return { body: { code: 0, data: session, server: 1 } };
  });
  await user.type(field, '{Enter}');
  await waitFor(() => expect(field).toHaveProperty('type', 'password'));
  expect(screen.getByText('Setting up')).toBeDefined();
  await user.type(field, '{Enter}');
  expect(server.calls.filter((call) => call.path === 'init' && call.body)).toHaveLength(1);
  resolve();
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
});

it('explains where the set-up code is and accepts it', async () => {
  const server = newServer();
  server.answers.set('init', ({ body }) => {
    if (!body) return { body: { code: 0, data: { init: false }, server: 1 } };
    return typeof body === 'object' && 'code' in body && body.code === 'right'
      ? { body: { code: 0, data: session, server: 1 } }
      : { status: 403, body: { code: 2000, data: { message: 'wrong set-up code' } } };
  });
  const user = renderConsole('/en');
  // Asked for from the beginning: from another machine nothing works without it.
  expect(await screen.findByLabelText('Setup code')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await user.type(await screen.findByLabelText('Setup code'), 'right');
  expect(screen.getByText(/the setup URL that the server prints to its log/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByRole('heading', { level: 1, name: 'Get started' });
});

it('rates a new password and refuses fewer than eight characters', async () => {
  const server = newServer();
  const user = renderConsole('/en/routers-login?code=one-time');
  const field = await screen.findByLabelText('Administrator password');
  expect(screen.getByText('Strong')).toBeDefined();
  await user.clear(field);
  await user.type(field, '1234567{Enter}');
  expect(await screen.findByText('Use at least 8 characters.')).toBeDefined();
  await user.type(field, '8');
  expect(screen.getByText(/^Weak: easy to guess/)).toBeDefined();
  expect(screen.queryByText('Use at least 8 characters.')).toBeNull();
  expect(server.calls.filter((call) => call.path === 'init' && call.body)).toEqual([]);
});
