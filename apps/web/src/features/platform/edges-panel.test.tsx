import { screen, waitFor, within } from '@testing-library/react';
import type { Edge } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const token = 't'.repeat(64);
const edge = (url: string, facts: Partial<Edge> = {}): Edge => ({
  url,
  state: 'ok',
  failure: '',
  checkedAt: '2026-11-16T12:00:00.000Z',
  latencyMs: 12,
  ...facts,
});

async function openPanel(server: FakeServer) {
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=platform');
  const edges = within(await screen.findByRole('region', { name: 'Edges' }));
  const balancer = within(screen.getByRole('region', { name: 'Load balancer' }));
  await waitFor(() => expect(server.callsTo('edges/query').length).toBeGreaterThan(0));
  return { user, edges, balancer };
}

it('shows the state of each edge and the URL of the load balancer', async () => {
  const bad = edge('http://10.0.0.9', { state: 'failing', failure: 'token' });
  const server = new FakeServer().answer('edges/query', { edges: [edge('https://e1.example'), bad], token });
  const { edges, balancer } = await openPanel(server);
  expect(await edges.findByText('1 edge failing')).toBeDefined();
  expect(edges.getByText('12 ms')).toBeDefined();
  expect(edges.getByText(/sends a different token/)).toBeDefined();
  expect(edges.queryByText(token)).toBeNull();
  expect(balancer.getByText(/HLS viewers are redirected to your edges/)).toBeDefined();
});

it('accepts one edge URL a line and keeps invalid ones', async () => {
  const server = new FakeServer().answer('edges/query', { edges: [], token: '' }).answer('edges/update', null);
  const { user, edges } = await openPanel(server);
  const field = edges.getByRole('textbox', { name: 'Edge URLs' });
  await waitFor(() => expect(field).toHaveProperty('disabled', false));
  await user.type(field, 'https://e1.example{enter}e2.example');
  await user.click(edges.getByRole('button', { name: 'Save edges' }));
  expect(await edges.findByText(/Enter http or https URLs/)).toBeDefined();
  expect(server.callsTo('edges/update')).toHaveLength(0);
  await user.clear(field);
  await user.type(field, 'https://e1.example{enter} http://10.0.0.9:8080/cdn');
  await user.click(edges.getByRole('button', { name: 'Save edges' }));
  await waitFor(() => expect(server.callsTo('edges/update')).toHaveLength(1));
  expect(server.callsTo('edges/update')[0]?.body).toEqual({
    edges: ['https://e1.example', 'http://10.0.0.9:8080/cdn'],
  });
});

it('creates a new edge token only after a warning', async () => {
  const server = new FakeServer()
    .answer('edges/query', { edges: [edge('https://e1.example')], token })
    .answer('edges/token', { token });
  const { user, edges } = await openPanel(server);
  await user.click(await edges.findByRole('button', { name: 'Create new token' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/All edges stop delivering/)).toBeDefined();
  expect(server.callsTo('edges/token')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Create new token' }));
  await waitFor(() => expect(server.callsTo('edges/token')).toHaveLength(1));
});
