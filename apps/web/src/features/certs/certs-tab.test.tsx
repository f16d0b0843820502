import { screen, within } from '@testing-library/react';
import { keyMask } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const none = { state: 'none', domain: '', at: null, reason: '' };
const certificate = {
  subject: 'live.example.com',
  issuer: 'R11 (Some Authority)',
  names: ['live.example.com', 'www.example.com'],
  validFrom: '2026-01-01T00:00:00Z',
  expireAt: '2096-01-01T00:00:00Z',
  selfSigned: false,
};
const status = { provider: 'ssl', domain: '', certificate, order: none, renewAt: null, elsewhere: false };
const pair = { provider: 'ssl', domain: '', key: keyMask, crt: 'saved certificate\n' };

function openTab(server: FakeServer) {
  saveCredentials(session);
  return { server, user: renderConsole('/en/routers-settings?tab=https') };
}
const newServer = (saved: object = pair, state: object = status) =>
  new FakeServer().answer('cert/query', saved).answer('cert/status', state);

it('shows issuer, names and expiry of the current certificate', async () => {
  openTab(newServer());
  const panel = within(await screen.findByRole('region', { name: 'Current certificate' }));
  expect(await panel.findByText('live.example.com, www.example.com')).toBeDefined();
  expect(panel.getByText('R11 (Some Authority)')).toBeDefined();
  expect(panel.getByText(/^2096-01-01/)).toBeDefined();
  expect(panel.getByText(/^Doesn't renew automatically/)).toBeDefined();
});

it('opens the upload form for an uploaded certificate, else the order form', async () => {
  openTab(newServer());
  expect(await screen.findByRole('textbox', { name: 'Private key' })).toHaveProperty('value', keyMask);
  expect(screen.queryByRole('textbox', { name: 'Domain' })).toBeNull();
});

it('opens the order form without a certificate', async () => {
  const { user } = openTab(newServer({ ...pair, provider: '' }, { ...status, provider: '', certificate: null }));
  expect(await screen.findByRole('textbox', { name: 'Domain' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Get certificate' }));
  expect(await screen.findByText(/^Open this console on port 80|is not a domain name/)).toBeDefined();
});

it('sends no certificate without both files', async () => {
  const { user, server } = openTab(newServer());
  await user.clear(await screen.findByRole('textbox', { name: 'Private key' }));
  await user.click(screen.getByRole('button', { name: 'Install certificate' }));
  expect(await screen.findByText('Enter both the private key and the certificate.')).toBeDefined();
  expect(server.callsTo('ssl')).toHaveLength(0);
});

it('translates why the server refuses a certificate and its key', async () => {
  const server = newServer();
  const data = { message: 'in English', why: { kind: 'expired', fact: '2026-01-31' } };
  server.answers.set('ssl', () => ({ status: 422, body: { code: 1002, data } }));
  const { user } = openTab(server);
  await user.click(await screen.findByRole('button', { name: 'Install certificate' }));
  expect(await screen.findByText('The certificate expired on 2026-01-31.')).toBeDefined();
  expect(screen.queryByText('in English')).toBeNull();
});

it('keeps the typed certificate when the server refuses it, and shows why', async () => {
  const { user, server } = openTab(newServer().refuse('ssl', 422, 1002));
  const key = await screen.findByRole('textbox', { name: 'Private key' });
  // Typing replaces the mask.
  await user.type(key, 'typed key');
  await user.click(screen.getByRole('button', { name: 'Install certificate' }));
  expect(
    await screen.findByText("This key and certificate can't be used. The current certificate stays in use."),
  ).toBeDefined();
  expect(screen.getByText('The server rejected one of the values.')).toBeDefined();
  expect(screen.queryByText('You got an error!')).toBeNull();
  expect(key).toHaveProperty('value', 'typed key');
  expect(server.callsTo('ssl')[0]?.body).toEqual({ key: 'typed key', crt: 'saved certificate\n' });
  server.answer('ssl', null);
  await user.click(screen.getByRole('button', { name: 'Install certificate' }));
  expect(await screen.findByText('Certificate installed', { selector: 'div' })).toBeDefined();
  expect(key).toHaveProperty('value', keyMask);
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

it('shows why the last order failed, the remedy and the next try', async () => {
  const order = {
    state: 'failed',
    domain: 'live.example.com',
    at: '2026-01-02T00:00:00Z',
    reason: 'port 80 is closed',
    fault: 'connection',
  };
  openTab(newServer(pair, { ...status, provider: 'lets', order, renewAt: '2096-01-02T00:00:00Z' }));
  expect(await screen.findByText('Could not get a certificate for live.example.com')).toBeDefined();
  expect(screen.getByText("Let's Encrypt could not connect to port 80 of live.example.com.")).toBeDefined();
  expect(screen.getByText(/^Open TCP port 80 in the firewall/)).toBeDefined();
  expect(screen.getByText('port 80 is closed')).toBeDefined();
  expect(screen.getByText(/^Next attempt at/)).toBeDefined();
});

it('says that a proxy in front of the server holds the certificate', async () => {
  openTab(newServer(pair, { ...status, elsewhere: true }));
  expect(await screen.findByText(/^HTTPS is managed outside this console/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Install certificate' })).toBeNull();
});
