import { configure, screen, waitFor, within } from '@testing-library/react';
import type { ForwardOutlet, ForwardRow, ProcessReport } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

configure({ asyncUtilTimeout: 15_000 });

const secret = '/terraform/v1/ffmpeg/forward/secret';
const streams = '/terraform/v1/ffmpeg/forward/streams';
const off: ProcessReport = {
  state: 'off',
  since: '',
  failures: 0,
  starts: 0,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers: null,
};

function slot(platform: string, facts: Partial<ForwardOutlet> = {}): ForwardOutlet {
  const place = { server: 'rtmp://to.test/live', secret: 'the-key' };
  return { platform, ...place, enabled: false, custom: false, label: '', stream: '', ...facts };
}

function newServer(slots: ForwardOutlet[] = [], process: Partial<ProcessReport> = {}) {
  const server = new FakeServer().answer('envs', { forwardLimit: 5 });
  server.answer('streams/query', { streams: [activeStream({ stream: 'show' })] });
  const saved = new Map(slots.map((one) => [one.platform, one]));
  server.answers.set(secret, ({ body }) => {
    const { action, ...change } = body as { action?: string } & ForwardOutlet;
    if (action === 'update') saved.set(change.platform, change);
    if (action === 'remove') saved.delete(change.platform);
    return { body: { code: 0, data: action ? null : Object.fromEntries(saved), server: 1 } };
  });
  server.answers.set(streams, () => {
    const rows: ForwardRow[] = [...saved.values()].map(({ platform, enabled, custom, label }) => ({
      platform,
      enabled,
      custom,
      label,
      process: enabled ? { ...off, state: 'waiting', ...process } : off,
    }));
    return { body: { code: 0, data: rows, server: 1 } };
  });
  return server;
}

function openTab(locale = 'en') {
  saveCredentials(session);
  return renderConsole(`/${locale}/routers-scenario?tab=forward`);
}

/** Pastes, because typing letter by letter is slow. */
async function type(user: ReturnType<typeof openTab>, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

const panel = async (name: string) => within(await screen.findByRole('region', { name }));
const saves = (server: FakeServer) =>
  server
    .callsTo(secret)
    .map(({ body }) => body as { action?: string; enabled?: boolean; platform?: string })
    .filter(({ action }) => action === 'update');

/** Menus need a layout, which tests lack; they stay hidden to queries by role. */
const offered = async (user: ReturnType<typeof openTab>) => {
  await user.click(await screen.findByRole('button', { name: 'Add destination' }));
  return screen.findAllByRole('menuitem', { hidden: true });
};
const add = async (user: ReturnType<typeof openTab>, name: string) => {
  const item = (await offered(user)).find(({ textContent }) => textContent === name);
  if (item) await user.click(item);
};
const keys = () => [...document.querySelectorAll('[data-key]')].map((item) => item.getAttribute('data-key'));

it('opens the first platform and offers the other slots in a menu', async () => {
  newServer();
  const user = openTab();
  const youtube = await panel('YouTube');
  expect(youtube.getByRole('button', { name: 'YouTube' }).getAttribute('aria-expanded')).toBe('true');
  expect(keys()).toEqual(['0', '99', '1']);
  const names = (await offered(user)).map(({ textContent }) => textContent);
  expect(names).toEqual(['Twitch', 'Facebook', 'Other server (Forwarding #4)']);
  await user.keyboard('{Escape}');
  await add(user, 'Other server (Forwarding #4)');
  const fourth = await panel('Forwarding #4');
  expect(fourth.getByRole('button', { name: 'Forwarding #4' }).getAttribute('aria-expanded')).toBe('true');
  await add(user, 'Other server (Forwarding #5)');
  await panel('Forwarding #5');
  expect((await offered(user)).map(({ textContent }) => textContent)).toEqual(['Twitch', 'Facebook']);
  expect(keys()).toEqual(['0', '99', '1', '4', '5']);
});

it('shows states first, then the settings, then the introduction', async () => {
  newServer([slot('kuaishou'), slot('forwarding-5-a1b2c3', { label: 'Attic', custom: true, enabled: true })]);
  openTab();
  await panel('Facebook');
  expect(keys()).toEqual(['99', '3', '5', '0']);
  const status = await panel('Status');
  expect(await status.findByText('2 set up')).toBeDefined();
});

it('shows missing fields and sends nothing', async () => {
  const server = newServer();
  const user = openTab();
  const youtube = await panel('YouTube');
  await user.click(youtube.getByRole('button', { name: 'Start' }));
  expect(await youtube.findByText('Enter the server address.')).toBeDefined();
  await type(user, youtube.getByLabelText('YouTube server address'), '/tmp/out.flv');
  expect(await youtube.findByText(/must start with rtmp:/)).toBeDefined();
  await user.click(youtube.getByLabelText(/^Push to another server/));
  await user.click(youtube.getByRole('button', { name: 'Save' }));
  expect(await youtube.findByText(/^Enter a name/)).toBeDefined();
  expect(saves(server)).toEqual([]);
});

// The lock lasts three real seconds.
it('saves without starting, then locks start and stop for three seconds', async () => {
  const server = newServer();
  const user = openTab();
  const youtube = await panel('YouTube');
  await type(user, youtube.getByLabelText('YouTube server address'), 'rtmp://a.test/live2');
  await type(user, youtube.getByLabelText('Stream key'), 'abcd');
  await type(user, youtube.getByLabelText('Source stream'), 'show');
  expect(youtube.getByText('Unsaved changes')).toBeDefined();
  await user.click(youtube.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  const expected = { platform: 'wx', server: 'rtmp://a.test/live2', secret: 'abcd', stream: 'show', enabled: false };
  expect(saves(server)).toMatchObject([expected]);
  await waitFor(() => expect(youtube.queryByText('Unsaved changes')).toBeNull());

  await user.click(youtube.getByRole('button', { name: 'Start' }));
  const stop = await youtube.findByRole('button', { name: 'Stop' });
  expect(saves(server).at(-1)).toMatchObject({ ...expected, enabled: true });
  expect(stop).toHaveProperty('disabled', true);
  expect((await youtube.findAllByText('Waiting for a source')).length).toBeGreaterThan(0);
  expect(stop.parentElement && within(stop.parentElement).getByRole('status').textContent).toBe('Waiting for a source');
  await waitFor(() => expect(stop).toHaveProperty('disabled', false));
  await type(user, youtube.getByLabelText('Stream key'), '-half-typed');
  expect(youtube.getByRole('button', { name: 'Save and restart' })).toBeDefined();
  await user.click(stop);
  await youtube.findByRole('button', { name: 'Start' });
  // Stopping neither needs nor saves the typed fields.
  expect(saves(server).at(-1)).toMatchObject({ ...expected, enabled: false });
  expect(youtube.getByLabelText('Stream key')).toHaveProperty('value', 'abcd-half-typed');
});

it('keeps the typed fields and the true state of the button when saving fails', async () => {
  const server = newServer([slot('wx')]);
  const user = openTab();
  const youtube = await panel('YouTube');
  server.refuse(secret, 500, 1007);
  await type(user, youtube.getByLabelText('Stream key'), '2');
  await user.click(youtube.getByRole('button', { name: 'Start' }));
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(youtube.getByRole('button', { name: 'Start' })).toBeDefined();
  expect(youtube.getByLabelText('Stream key')).toHaveProperty('value', 'the-key2');
  expect(youtube.getByText('Unsaved changes')).toBeDefined();
});

it('opens the states of running forwards without their keys', async () => {
  const since = new Date(Date.now() - 65_000).toISOString();
  const failure = { cause: 'key-refused', detail: 'rtmp://to.test/live/[hidden]: refused', at: since } as const;
  newServer([slot('wx', { enabled: true, label: 'Sunday' })], { state: 'failing', since, failures: 2, failure });
  openTab();
  const table = within(await screen.findByRole('table', { name: 'Status' }));
  expect(table.getByText('YouTube · Sunday')).toBeDefined();
  expect(table.getByText('Failing (2)')).toBeDefined();
  expect(table.getByText(/rejected the stream key/)).toBeDefined();
  expect(document.body.textContent).not.toContain('the-key');
});

it('keeps the id of a new slot, deletes a saved one after a confirmation, and shows slots above a lowered limit', async () => {
  const server = newServer([slot('forwarding-9-ffffff', { label: 'Attic', custom: true })]);
  const user = openTab();
  await add(user, 'Other server (Forwarding #4)');
  const fourth = await panel('Forwarding #4');
  await type(user, await fourth.findByLabelText('Server address'), 'rtmp://b.test/live');
  await user.click(fourth.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved');
  expect(saves(server)[0]?.platform).toMatch(/^forwarding-4-[0-9a-f]{6}$/);

  const attic = await panel('Attic');
  await user.click(attic.getByRole('button', { name: 'Attic' }));
  await user.click(await attic.findByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Attic?' }));
  await user.click(await dialog.findByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Attic' })).toBeNull());
});
