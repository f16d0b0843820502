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
  return { platform, ...place, enabled: false, custom: false, label: '', stream: '', quality: '', ...facts };
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

const saves = (server: FakeServer) =>
  server
    .callsTo(secret)
    .map(({ body }) => body as { action?: string; enabled?: boolean; platform?: string })
    .filter(({ action }) => action === 'update');

const sheet = async (name = 'Add destination') => within(await screen.findByRole('dialog', { name }));
const addSheet = async (user: ReturnType<typeof openTab>) => {
  // The button moves into the page once it is known to be empty.
  const button = await waitFor(() => {
    const [found] = screen.getAllByRole('button', { name: 'Add destination' });
    expect(found).toHaveProperty('disabled', false);
    return found as HTMLElement;
  });
  await user.click(button);
  return sheet();
};
const row = async (name: string) => {
  const title = await screen.findByRole('button', { name, expanded: false });
  return within(title.closest('li') as HTMLElement);
};
/** Menus need a layout, which tests lack; they stay hidden to queries by role. */
const choose = async (user: ReturnType<typeof openTab>, name: string, item: string) => {
  await user.click((await row(name)).getByRole('button', { name: `More for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
};

it('begins with a sentence and one button, and adds a destination to the slot of its platform', async () => {
  const server = newServer();
  const user = openTab();
  expect(await screen.findByText(/^Send a live stream on to YouTube/)).toBeDefined();
  const form = await addSheet(user);
  expect(form.getByRole('radio', { name: 'live/show' }).getAttribute('aria-checked')).toBe('true');
  expect(form.getByRole('radio', { name: 'YouTube' }).getAttribute('aria-checked')).toBe('true');
  expect(form.getByText('rtmp://a.rtmp.youtube.com/live2')).toBeDefined();
  await type(user, form.getByLabelText('Stream key'), 'abcd');
  await user.click(form.getByRole('button', { name: 'Start' }));
  expect(await screen.findByText('Saved and started')).toBeDefined();
  expect(saves(server)).toEqual([
    {
      action: 'update',
      platform: 'wx',
      server: 'rtmp://a.rtmp.youtube.com/live2',
      secret: 'abcd',
      enabled: true,
      custom: false,
      label: '',
      quality: '',
      stream: 'live/show',
    },
  ]);
  const youtube = await row('YouTube');
  expect(youtube.getByRole('status').textContent).toBe('Waiting for a source');
  expect(youtube.getByText('a.rtmp.youtube.com')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('gives a second channel and other servers the next numbered slots', async () => {
  const server = newServer([slot('wx'), slot('forwarding-4-a1b2c3', { label: 'Attic', custom: true })]);
  const user = openTab();
  let form = await addSheet(user);
  expect(form.getByRole('radio', { name: 'Twitch' }).getAttribute('aria-checked')).toBe('true');
  await user.click(form.getByRole('radio', { name: 'YouTube' }));
  expect(form.getByLabelText(/^Name/)).toHaveProperty('value', 'YouTube #5');
  await user.click(form.getByRole('button', { name: 'Save without starting' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(saves(server)[0]).toMatchObject({ custom: true, label: 'YouTube #5', enabled: false });
  expect(saves(server)[0]?.platform).toMatch(/^forwarding-5-[0-9a-f]{6}$/);
  // Five destinations in all: the slots of Twitch and Facebook are left.
  form = await addSheet(user);
  await user.click(form.getByRole('radio', { name: 'Another server' }));
  await type(user, form.getByLabelText('Server address'), 'srt://c.test:10080');
  await user.clear(form.getByLabelText(/^Name/));
  await user.click(form.getByRole('button', { name: 'Start' }));
  expect(await form.findByText('Enter a name for this destination.')).toBeDefined();
  await type(user, form.getByLabelText(/^Name/), 'Club');
  await user.click(form.getByRole('button', { name: 'Start' }));
  await waitFor(() => expect(saves(server)).toHaveLength(2));
  expect(saves(server)[1]).toMatchObject({
    platform: 'bilibili',
    custom: true,
    label: 'Club',
    server: 'srt://c.test:10080',
  });
  expect((await row('Club')).getByText('c.test')).toBeDefined();
});

it('shows missing fields, sends nothing, and keeps what was typed for each platform', async () => {
  const server = newServer();
  const user = openTab();
  const form = await addSheet(user);
  await user.click(form.getByRole('radio', { name: 'Kuaishou' }));
  await user.click(form.getByRole('button', { name: 'Start' }));
  expect(await form.findByText('Enter the server address.')).toBeDefined();
  await type(user, form.getByLabelText('Kuaishou server address'), '/tmp/out.flv');
  expect(await form.findByText(/must start with rtmp:/)).toBeDefined();
  await user.click(form.getByRole('radio', { name: 'Twitch' }));
  expect(form.getByText('rtmp://live.twitch.tv/app')).toBeDefined();
  await user.click(form.getByRole('radio', { name: 'Kuaishou' }));
  expect(form.getByLabelText('Kuaishou server address')).toHaveProperty('value', '/tmp/out.flv');
  expect(saves(server)).toEqual([]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saves(server)).toEqual([]);
});

// The lock lasts three real seconds.
it('turns a destination on and off with its switch, which is locked for three seconds', async () => {
  const server = newServer([slot('wx', { stream: 'show' })]);
  const user = openTab();
  const youtube = await row('YouTube');
  const toggle = youtube.getByRole('switch', { name: 'YouTube' });
  await user.click(toggle);
  await waitFor(() => expect(toggle).toHaveProperty('checked', true));
  expect(saves(server)).toMatchObject([{ platform: 'wx', secret: 'the-key', stream: 'show', enabled: true }]);
  expect(toggle).toHaveProperty('disabled', true);
  await waitFor(() => expect(toggle).toHaveProperty('disabled', false));
  await user.click(toggle);
  await waitFor(() => expect(saves(server)).toHaveLength(2));
  expect(saves(server)[1]).toMatchObject({ enabled: false });
});

it('edits a destination, and keeps the typed fields when saving fails', async () => {
  const server = newServer([slot('wx', { enabled: true })]);
  const user = openTab();
  await choose(user, 'YouTube', 'Edit');
  const form = await sheet('Edit destination');
  const key = form.getByLabelText('Stream key');
  expect(key).toHaveProperty('value', 'the-key');
  server.refuse(secret, 500, 1007);
  await type(user, key, '2');
  await user.click(form.getByRole('button', { name: 'Save and restart' }));
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(form.getByLabelText('Stream key')).toHaveProperty('value', 'the-key2');
});

it('opens a failing row with cause, remedy and a field for the new key', async () => {
  const since = new Date(Date.now() - 65_000).toISOString();
  const failure = { cause: 'key-refused', detail: 'rtmp://to.test/live/[hidden]: refused', at: since } as const;
  const server = newServer([slot('wx', { enabled: true, label: 'Sunday' })], {
    state: 'failing',
    since,
    failures: 2,
    failure,
    starts: 2,
  });
  const user = openTab();
  const youtube = await row('YouTube · Sunday');
  expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toBe('ForwardFailing');
  expect(youtube.getByRole('status').textContent).toBe('Failing (2)');
  expect(youtube.getByText(/rejected the stream key/)).toBeDefined();
  expect(document.body.textContent).not.toContain('the-key');
  await type(user, youtube.getByLabelText('New stream key for YouTube · Sunday'), ' fresh-key ');
  await user.click(youtube.getByRole('button', { name: 'Replace and retry' }));
  await waitFor(() => expect(saves(server)).toHaveLength(1));
  expect(saves(server)[0]).toMatchObject({ platform: 'wx', secret: 'fresh-key', enabled: true });
  await waitFor(() => expect(youtube.getByRole('button', { name: 'Retry now' })).toHaveProperty('disabled', false));
  await user.click(youtube.getByRole('button', { name: 'Retry now' }));
  // Off and on, because a save that changes nothing restarts nothing.
  await waitFor(() =>
    expect(
      saves(server)
        .slice(1)
        .map(({ enabled }) => enabled),
    ).toEqual([false, true]),
  );
});

it('removes a destination after a confirmation, and its row goes with it', async () => {
  newServer([slot('forwarding-9-ffffff', { label: 'Attic', custom: true })]);
  const user = openTab();
  await choose(user, 'Attic', 'Remove');
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Attic?' }));
  await user.click(await dialog.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/^Send a live stream on to YouTube/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Attic' })).toBeNull();
});

it('keeps the panel keys of the specification as links', async () => {
  newServer([slot('kuaishou'), slot('forwarding-5-a1b2c3', { label: 'Attic', custom: true, enabled: true })]);
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=forward#panel-2');
  const form = await sheet();
  expect(form.getByRole('radio', { name: 'Twitch' }).getAttribute('aria-checked')).toBe('true');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const keys = [...document.querySelectorAll('[data-key]')].map((item) => item.getAttribute('data-key'));
  expect(keys).toEqual(['99', '3', '5']);
  await user.click(screen.getByRole('button', { name: 'About Forward' }));
  expect(document.querySelector('[data-key="0"]')?.textContent).toContain('Publish once');
});
