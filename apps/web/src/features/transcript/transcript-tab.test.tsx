import { screen, waitFor, within } from '@testing-library/react';
import { type FixSegment, TranscriptConfig, transcriptDefaults } from '@weir/contract';
import { expect, it } from 'vitest';
import { api, builtIn, idle, newServer, openTab, running, saved } from './transcript.fixture.ts';

function segment(seqno: number, facts: Partial<FixSegment> = {}): FixSegment {
  const text = `words of ${seqno}`;
  return {
    tsid: `${seqno}-audio-x`,
    stsid: `${seqno}-org-x`,
    seqno,
    url: `transcript/${seqno}-audio-x.m4a`,
    duration: 2.04,
    size: 65_536,
    stream: 'live/show',
    epoch: 1,
    discontinuity: false,
    eac: 12,
    asrc: 345,
    uca: false,
    edited: false,
    asr: text,
    asrs: [{ start: 0, end: 1, text }],
    ...facts,
  };
}

const openItems = () =>
  screen
    .getAllByRole('region')
    .filter((region) => within(region).queryAllByRole('button')[0]?.getAttribute('aria-expanded') === 'true')
    .map((region) => region.getAttribute('data-key'));

it('shows the transcript settings while off, and says that no data leaves the server', async () => {
  newServer();
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(openItems()).toEqual([]);
  expect(screen.getByText('Off')).toBeDefined();
  expect(head.getByText(/built-in AI\. No audio leaves this server/)).toBeDefined();
});

it('shows streams, provider, delay and queues of running transcripts', async () => {
  newServer(saved, running, { by: 'provider', host: 'ai.example', cause: null });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(openItems().sort()).toEqual(['2', '3', '4', '5']);
  expect(screen.getByText('Transcribing 1 stream')).toBeDefined();
  expect(head.getByText('live/show')).toBeDefined();
  expect(head.getByText('Subtitles are 1.4 sec behind the speech.')).toBeDefined();
  expect(head.getByText(/recognized by ai\.example\..*sent to this host/)).toBeDefined();
  const steps = within(screen.getByRole('list', { name: 'Segments on their way to viewers' }));
  expect(steps.getAllByRole('button').map((step) => step.textContent)).toEqual([
    '1received',
    '1in recognition',
    '2to review',
    '9on air',
  ]);
  const links = ['Original', 'With burnt-in subtitles', 'With a WebVTT subtitles track'];
  expect(links.map((name) => screen.getByLabelText<HTMLInputElement>(name).value.replace(/.*hls/, ''))).toEqual([
    '/original/task-1.m3u8',
    '/overlay/task-1.m3u8',
    '/webvtt/task-1/index.m3u8',
  ]);
  for (const name of links) {
    expect(screen.getByRole('button', { name: `Copy ${name}` })).toBeDefined();
    expect(screen.getByRole('button', { name: `QR code: ${name}` })).toBeDefined();
    expect(screen.getByRole('link', { name: `Open: ${name}` }).getAttribute('href')).toContain('srs_player.html');
  }
});

it('explains missing subtitles with a remedy', async () => {
  newServer(saved, { ...running, cause: 'quota', failures: 3, lostSegments: 1 });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(screen.getByText('Subtitles incomplete')).toBeDefined();
  expect(head.getByText('The account at the AI provider has no credit left.')).toBeDefined();
  expect(head.getByText(/^3 utterances without text · 1 segment missing/)).toBeDefined();
});

it('saves the target languages and shows the state of each', async () => {
  const german = { language: 'de', done: 3, skipped: 0, waiting: 0, delayMs: 1200, cause: null };
  const failing = { ...german, language: 'fr', delayMs: null, skipped: 2, cause: 'timeout' as const };
  const server = newServer(saved, { ...running, translations: [german, failing] }).answer(api('transcript/state'), {
    provider: builtIn,
    translator: { by: 'provider', host: 'ai.example', cause: null },
    streams: [{ ...running, translations: [german, failing] }],
  });
  const user = openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(head.getByText(/translated by ai\.example.*sent to this host/)).toBeDefined();
  expect(await head.findByText('Deutsch: translated within 1.2 sec.')).toBeDefined();
  expect(head.getByText('fr: paused, retries automatically. 2 texts left untranslated.')).toBeDefined();
  expect(head.getByText(/^Only translations are affected/)).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Translate into'), 'de');
  expect(screen.getByRole('button', { name: 'Remove Deutsch' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('transcript/apply'))[0]?.body).toMatchObject({ translations: ['de'] });
});

it('saves the switch for subtitles in players at once', async () => {
  const server = newServer(saved, running);
  const streams = [{ ...running, captions: true }];
  const changed = { provider: builtIn, translator: null, streams };
  server.accept(api('transcript/captions'), () => server.answer(api('transcript/state'), changed));
  const user = openTab();
  const box = await screen.findByRole('checkbox', { name: "Show subtitles in the stream's own players" });
  expect(box).toHaveProperty('checked', false);
  await user.click(box);
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('transcript/captions'))[0]?.body).toEqual({ uuid: 'task-1', enabled: true });
  expect(box).toHaveProperty('checked', true);
});

it('says that the media server has no subtitles instead of offering them', async () => {
  newServer(saved, running).answer('envs', { engineLacks: ['subtitles'] });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(await head.findByText(/can't add subtitles to streams/)).toBeDefined();
  expect(head.queryByRole('checkbox', { name: "Show subtitles in the stream's own players" })).toBeNull();
});

it('links to the installation when speech recognition is missing', async () => {
  newServer(TranscriptConfig.parse({}), idle, { by: 'nobody', host: '', cause: 'no-provider' });
  openTab();
  const head = within(await screen.findByRole('region', { name: 'Live subtitles' }));
  expect(head.getByText('Subtitles need speech recognition')).toBeDefined();
  expect(head.getByRole('link').getAttribute('href')).toContain('routers-settings?tab=llm');
});

it("starts with the form's values, and refuses an incomplete provider", async () => {
  const server = newServer();
  const user = openTab();
  const form = within(await screen.findByRole('region', { name: 'Settings' }));
  await user.click(form.getByRole('radio', { name: 'Own provider' }));
  await user.click(form.getByRole('button', { name: 'Start transcription' }));
  expect(form.getByText('Enter the secret key.')).toBeDefined();
  await user.type(form.getByLabelText('Secret key'), 'sk-1');
  await user.clear(form.getByLabelText('Base URL'));
  await user.type(form.getByLabelText('Base URL'), 'https://ai.example');
  await user.click(form.getByRole('button', { name: 'Test connection' }));
  expect(form.getByText('Invalid base URL, should be http(s)://your-server/v1')).toBeDefined();
  expect(server.callsTo(api('transcript/apply'))).toHaveLength(0);
  await user.type(form.getByLabelText('Base URL'), '/v1');
  // Messages of the server are for logs; the page has texts of its own.
  const why = { kind: 'ai', fact: 'bad-key' };
  const refused = { status: 422, body: { code: 1004, data: { message: 'no such key', why } } };
  server.answers.set(api('transcript/check'), () => refused);
  await user.click(form.getByRole('button', { name: 'Test connection' }));
  expect(await form.findByText(/^The AI provider rejected the secret key\. Copy/)).toBeDefined();
  server.answer(api('transcript/query'), { config: saved, task: { uuid: 'task-1' } });
  await user.click(form.getByRole('button', { name: 'Start transcription' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('transcript/apply'))[0]?.body).toEqual({
    uuid: 'task-1',
    all: true,
    secretKey: 'sk-1',
    baseURL: 'https://ai.example/v1',
    organization: '',
    lang: 'en',
    overlayEnabled: true,
    webvttEnabled: true,
    streams: [],
    translations: [],
    fixSeconds: null,
    ...transcriptDefaults,
  });
});

it('shows a refusal of the server at its field', async () => {
  const server = newServer();
  server.answers.set(api('transcript/apply'), () => ({
    status: 422,
    body: { code: 1004, data: { message: 'forceStyle: may contain only style fields such as Alignment=2,MarginV=20' } },
  }));
  const user = openTab();
  const form = within(await screen.findByRole('region', { name: 'Settings' }));
  await user.selectOptions(form.getByLabelText('Position'), 'Top center');
  expect(form.getByLabelText('Style')).toHaveProperty('value', 'Alignment=6,MarginV=20');
  await user.type(form.getByLabelText('Style'), ',x');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/^Invalid style/)).toBeDefined();
  expect(form.getByLabelText('Style')).toHaveProperty('value', 'Alignment=6,MarginV=20,x');
});

it('edits and clears a text before it is shown', async () => {
  const server = newServer(saved, running);
  const segments = [segment(1), segment(2), segment(3, { uca: true })];
  server.answer(api('transcript/fix-queue'), { segments, count: 3 });
  const user = openTab();
  const table = within(await screen.findByRole('table', { name: 'Review queue' }));
  const row = (seqno: number) => within(table.getByText(`#${seqno}`).closest('tr') as HTMLElement);
  expect(row(2).getByText('1/10/3').getAttribute('title')).toBe('1 cue, at most 10 bytes and 3 words');
  expect(row(2).getByText('64 KB')).toBeDefined();
  expect(row(2).getByText('345 ms')).toBeDefined();
  // The first row is about to leave; the third is cleared already.
  expect(table.getAllByRole('button', { name: 'Clear subtitle' })).toHaveLength(1);
  expect(row(3).getByText('words of 3').tagName).toBe('DEL');

  await user.click(row(2).getByRole('button', { name: 'Edit' }));
  const field = table.getByLabelText('Subtitle text');
  await user.clear(field);
  await user.type(field, 'better words{Enter}');
  await waitFor(() =>
    expect(server.callsTo(api('transcript/edit'))[0]?.body).toEqual({
      uuid: 'task-1',
      tsid: '2-audio-x',
      cue: 0,
      text: 'better words',
    }),
  );

  await user.click(row(2).getByRole('button', { name: 'Clear subtitle' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('No subtitle will be shown for this segment. “words of 2”')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Clear subtitle' }));
  await waitFor(() =>
    expect(server.callsTo(api('transcript/clear-subtitle'))[0]?.body).toEqual({ uuid: 'task-1', tsid: '2-audio-x' }),
  );
});

it('keeps the typed text of a row that has left the queue', async () => {
  const server = newServer(saved, running);
  server.answer(api('transcript/fix-queue'), { segments: [segment(1)], count: 1 });
  const user = openTab();
  const table = within(await screen.findByRole('table', { name: 'Review queue' }));
  await user.click(table.getByRole('button', { name: 'Edit' }));
  server.answer(api('transcript/fix-queue'), { segments: [segment(2)], count: 1 });
  expect(await table.findByText(/already on air/)).toBeDefined();
  expect(table.getByLabelText('Subtitle text')).toHaveProperty('value', 'words of 1');
  expect(table.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await user.click(table.getByRole('button', { name: 'Cancel' }));
  expect(table.queryByText('#1')).toBeNull();
});

it('resets transcripts only while stopped, after a warning, and follows the new task', async () => {
  const server = newServer(TranscriptConfig.parse({ ...saved, all: false }), { ...idle, overlay: 9, fix: 2 });
  const user = openTab();
  await user.click(await screen.findByRole('button', { name: 'Reset' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^Deletes 11 segments/)).toBeDefined();
  server.answer(api('transcript/query'), { config: { ...saved, all: false }, task: { uuid: 'task-2' } });
  server.answer(api('transcript/state'), {
    provider: builtIn,
    translator: null,
    streams: [{ ...idle, uuid: 'task-2' }],
  });
  await user.click(dialog.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(server.callsTo(api('transcript/reset'))[0]?.body).toEqual({ uuid: 'task-1' }));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Original').value).toContain('original/task-2.m3u8'),
  );
});
