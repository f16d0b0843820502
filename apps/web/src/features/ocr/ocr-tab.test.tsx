import { screen, waitFor, within } from '@testing-library/react';
import { type AiAnswerer, OcrConfig, type OcrDoneSegment, type OcrState } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = (name: string) => `/terraform/v1/ai/${name}`;
const builtIn: AiAnswerer = { by: 'built-in', host: '', cause: null };
const idle: OcrState = {
  provider: builtIn,
  stream: '',
  taken: 0,
  called: 0,
  failed: 0,
  cause: null,
  readAt: '',
  skipped: { unchanged: 0, interval: 0, off: 0, dropped: 0 },
  live: 0,
  ocr: 0,
  callback: 0,
  cleanup: 0,
};
const running: OcrState = {
  ...idle,
  stream: 'live/show',
  taken: 12,
  called: 7,
  cleanup: 7,
  ocr: 1,
  skipped: { unchanged: 4, interval: 0, off: 0, dropped: 0 },
};
const saved = OcrConfig.parse({ all: true, aiProvider: 'openai', aiChatMaxWindow: 5, aiChatMaxWords: 300 });
const done: OcrDoneSegment = {
  tsid: '7-image-x',
  stsid: '7-org-x',
  seqno: 7,
  url: 'ocr/7-image-x.jpg',
  duration: 2.04,
  size: 65_536,
  stream: 'live/show',
  epoch: 1,
  at: '2026-01-01T00:00:00.000Z',
  eic: 100,
  ocrc: 900,
  cbc: 20,
  image: '/terraform/v1/ai/ocr/image/7-image-x.jpg?token=1.x',
  ocr: 'SCORE 104\nTIME 12:45',
  outcome: 'called',
  cause: null,
  answeredBy: 'ai.example',
  model: 'gpt-4o',
  prompt: 'Which score?',
};

function newServer(config = OcrConfig.parse({}), state = idle) {
  const server = new FakeServer()
    .answer('streams/query', { streams: [activeStream()] })
    .answer(api('ocr/query'), { config, task: { uuid: 'task-1' } })
    .answer(api('ocr/state'), state)
    .answer(api('provider/answerers'), { transcribe: builtIn, chat: builtIn, see: builtIn, speak: builtIn })
    .answer(api('ocr/apply'), { uuid: 'task-1' })
    .answer(api('ocr/reset'), { uuid: 'task-2' });
  for (const queue of ['live', 'ocr', 'callback', 'cleanup']) {
    server.answer(api(`ocr/${queue}-queue`), { segments: [], count: 0 });
  }
  return server;
}

function openTab() {
  saveCredentials(session);
  return renderConsole('/en/routers-scenario?tab=ocr');
}

const openItems = () =>
  screen
    .getAllByRole('region')
    .filter((region) => within(region).queryAllByRole('button')[0]?.getAttribute('aria-expanded') === 'true')
    .map((region) => region.getAttribute('data-key'))
    .sort();

it('shows the OCR settings while off, and starts with defaults and the default provider', async () => {
  const server = newServer();
  const user = openTab();
  const head = within(await screen.findByRole('region', { name: 'Text in the video' }));
  expect(openItems()).toEqual([]);
  expect(screen.getByText('Off')).toBeDefined();
  expect(head.getByText(/built-in AI\. No image leaves this server/)).toBeDefined();
  await user.click(screen.getAllByRole('button', { name: 'Start OCR' })[0] as HTMLElement);
  await waitFor(() =>
    expect(server.callsTo(api('ocr/apply'))[0]?.body).toMatchObject({
      uuid: 'task-1',
      all: true,
      aiProvider: 'openai',
      aiSecretKey: '',
      aiBaseURL: '',
      aiChatEnabled: true,
      aiChatModel: 'gpt-4o',
      aiChatMaxWindow: 5,
      aiChatMaxWords: 300,
      stream: '',
      intervalSeconds: 0,
    }),
  );
});

it('shows state, segment counts and the last OCR result with its image', async () => {
  const server = newServer(saved, running);
  server.answer(api('ocr/cleanup-queue'), { segments: [done], count: 1 });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Text in the video' }));
  expect(openItems().sort()).toEqual(['2', '3', '4', '5']);
  expect(screen.getByText('Reading live/show')).toBeDefined();
  const tally = within(head.getByRole('list', { name: 'What happened to the segments' }));
  expect(tally.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '12 segments received',
    '7 read',
    '4 skipped: image unchanged',
  ]);
  const texts = within(screen.getByRole('region', { name: 'Recognized text' }));
  expect((await texts.findByText(/SCORE 104/)).textContent).toBe(done.ocr);
  const last = within(screen.getByRole('region', { name: 'Last result' }));
  expect((await last.findByRole('img')).getAttribute('src')).toBe(done.image);
  expect(last.getByText('1,020 ms')).toBeDefined();
  expect(last.getByText('gpt-4o · ai.example')).toBeDefined();
  expect(last.getByText('Which score?')).toBeDefined();
  expect(last.getByText(/SCORE 104\s+TIME 12:45/).tagName).toBe('PRE');
  const row = within(
    within(screen.getByRole('table', { name: 'Cleanup queue' }))
      .getByText('#7')
      .closest('tr') as HTMLElement,
  );
  expect(row.getByText('900 ms')).toBeDefined();
  expect(row.getByText('64 KB')).toBeDefined();
});

it('explains missing OCR texts', async () => {
  newServer(saved, { ...running, cause: 'quota', failed: 2 });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Text in the video' }));
  expect(screen.getByText('Texts incomplete')).toBeDefined();
  expect(head.getByText('The account at the AI provider has no credit left.')).toBeDefined();
  expect(head.getByText('2 failed')).toBeDefined();
});

it('refuses an incomplete provider and numbers out of range before sending', async () => {
  const server = newServer();
  const user = openTab();
  const form = within(await screen.findByRole('region', { name: 'Settings' }));
  await user.click(form.getByRole('radio', { name: 'Own provider' }));
  await user.click(form.getByRole('button', { name: 'Start OCR' }));
  expect(form.getByText('Enter the secret key.')).toBeDefined();
  expect(await screen.findByText('Invalid secret key')).toBeDefined();
  await user.click(form.getByRole('radio', { name: /^Default provider/ }));
  await user.clear(form.getByLabelText('Interval in seconds'));
  await user.type(form.getByLabelText('Interval in seconds'), '-1');
  await user.click(form.getByRole('button', { name: 'Start OCR' }));
  expect(form.getByText('Enter a whole number from 0 to 3600.')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Interval in seconds')));
  expect(server.callsTo(api('ocr/apply'))).toHaveLength(0);
  expect(form.getByRole('link', { name: 'Open callback settings' }).getAttribute('href')).toContain('tab=callback');
});

it('resets OCR only while stopped, after a warning', async () => {
  const server = newServer({ ...saved, all: false }, { ...idle, cleanup: 9 });
  const user = openTab();
  await user.click(await screen.findByRole('button', { name: 'Reset' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^Deletes 9 segments/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(server.callsTo(api('ocr/reset'))[0]?.body).toEqual({ uuid: 'task-1' }));
});
