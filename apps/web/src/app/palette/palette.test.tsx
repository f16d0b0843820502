import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { address, renderConsole } from '../../testing/render-console.tsx';

const patience = { timeout: 15_000 };
const forwardPath = '/terraform/v1/ffmpeg/forward/secret';

async function open(language: 'en' | 'zh', typed = '') {
  saveCredentials(session);
  const user = renderConsole(`/${language}/routers-contact`);
  await screen.findByRole('button', { name: language === 'en' ? 'Go to…' : '前往…' }, patience);
  await user.keyboard('{Control>}k{/Control}');
  if (typed !== '') await user.keyboard(typed);
  const field = await screen.findByRole<HTMLInputElement>('combobox', {}, patience);
  return { user, dialog: within(screen.getByRole('dialog')), field };
}

function server() {
  const slot = {
    platform: 'wx',
    server: 'rtmp://a/b',
    secret: 'x',
    enabled: true,
    custom: false,
    label: '',
    stream: '',
  };
  return new FakeServer()
    .answer('streams/query', { streams: [activeStream()] })
    .answer('/terraform/v1/hooks/record/files', [])
    .answer(forwardPath, { wx: slot });
}

// The first test: the palette is loaded once.
it('continues with what was typed while it loaded', async () => {
  server();
  const { user, dialog, field } = await open('en', 'call');
  expect(field.value).toBe('call');
  await user.keyboard('b');
  expect(field.value).toBe('callb');
  expect(dialog.getByRole('option', { selected: true }).textContent).toContain('Callback');
});

it('opens a tab by keyboard, announces the selection and closes', async () => {
  server();
  const { user, dialog, field } = await open('en');
  expect(document.activeElement).toBe(field);
  await user.keyboard('callb');
  const option = dialog.getByRole('option', { selected: true });
  expect(option.textContent).toContain('Callback');
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id);
  await user.keyboard('{Enter}');
  expect(address()).toBe('/en/routers-settings?tab=callback');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('lists live streams and actions, wraps around, and closes without effect on Escape', async () => {
  server();
  const { user, dialog } = await open('en');
  expect(
    (await dialog.findByRole('option', { name: /live\/show Live stream/ }, patience)).getAttribute('aria-selected'),
  ).toBe('true');
  await user.keyboard('{ArrowUp}{ArrowDown}');
  expect(dialog.getByRole('option', { selected: true }).textContent).toContain('live/show');
  await dialog.findByRole('option', { name: /^Stop forwarding to / }, patience);
  await user.keyboard('nothing like that');
  expect(dialog.queryAllByRole('option')).toEqual([]);
  expect(dialog.getByRole('status').textContent).toContain('Nothing found');
  await user.keyboard('{Escape}');
  expect(address()).toBe('/en/routers-contact');
});

it('finds Chinese titles by any part and stops a forward', async () => {
  const fake = server();
  const { user, dialog } = await open('zh');
  await dialog.findByRole('option', { name: /^停止转推到/ }, patience);
  await user.keyboard('停止转');
  await user.keyboard('{Enter}');
  await vi.waitFor(() => {
    const bodies = fake.callsTo(forwardPath).map(({ body }) => body);
    expect(bodies).toContainEqual(expect.objectContaining({ action: 'update', platform: 'wx', enabled: false }));
  }, patience);
});

it.each([
  ['en', 'certificate', 'HTTPS'],
  ['en', 'secret', 'Copy stream key'],
  ['en', 'restream', 'Forward'],
  ['en', 'obs', 'Live guide'],
  ['en', 'subtitles', 'Transcript'],
  ['en', 'abr', 'Transcode'],
  ['en', 'latency', 'HLS'],
  ['en', 'start recording', 'Start recording'],
  ['en', 'add camera', 'Add camera'],
  ['zh', '证书', 'HTTPS'],
  ['zh', '推流码', '复制推流码'],
  ['zh', '多平台', '转推'],
  ['zh', '字幕', 'AI 字幕'],
  ['zh', '备案', '站点文字'],
] as const)('finds in %s by "%s" what is called "%s"', async (language, typed, title) => {
  server();
  const { user, dialog } = await open(language);
  await user.keyboard(typed);
  await vi.waitFor(() => {
    const names = dialog.getAllByRole('option').map(({ textContent }) => textContent);
    expect(names.some((name) => name?.includes(title))).toBe(true);
  }, patience);
});

it('reopens right after closing with the focus in its field', async () => {
  server();
  const { user } = await open('en');
  await user.keyboard('{Escape}{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', {}, patience);
  await vi.waitFor(() => expect(document.activeElement).toBe(field), patience);
});
