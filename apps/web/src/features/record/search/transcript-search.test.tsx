import { screen, waitFor, within } from '@testing-library/react';
import type { TranscriptHit } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';
import { recordingFixture, settingsFixture } from '../recording.fixture.ts';

const api = '/terraform/v1/hooks/record';
const search = '/terraform/v1/ai/words/search';
const box = 'Search what was said or shown';

function hitOf(facts: Partial<TranscriptHit>): TranscriptHit {
  return {
    id: 9,
    kind: 'speech',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    language: 'en',
    date: '2026-03-01T08:02:05.000Z',
    text: 'we open the weir',
    marks: [[12, 16]],
    recording: 'r1',
    second: 125.4,
    ...facts,
  };
}

async function openTab() {
  const server = new FakeServer()
    .answer(`${api}/query`, settingsFixture({ all: true }))
    .answer(`${api}/files`, [
      recordingFixture({ uuid: 'r1', transcript: true }),
      recordingFixture({ uuid: 'r2', stream: 'mute' }),
    ])
    .answer(`${api}/subtitles`, null)
    .answer('/terraform/v1/hooks/rewind/query', { rules: [], windows: [], shortenedSince: '', isAvailable: true })
    .answer(search, { hits: [], more: false });
  server.answers.set(`${api}/sign`, ({ body }) => {
    const { uuid } = body as { uuid: string };
    const at = (name: string) => `${api}/hls/${uuid}${name}?sign=abc`;
    const links = { m3u8: at('.m3u8'), mp4: at('/index.mp4'), thumbnail: at('/index.jpg') };
    const transcript = { srt: at('/index.srt'), vtt: at('/index.vtt'), txt: at('/index.txt') };
    const languages = { language: 'en', translations: uuid === 'r1' ? ['de'] : [] };
    const data = { ...languages, query: 'sign=abc', expireAt: '2026-03-01T15:00:00.000Z', ...links, ...transcript };
    return { body: { code: 0, data, server: 1 } };
  });
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=record');
  const field = await screen.findByLabelText(box);
  const look = async (words: string) => {
    await user.clear(field);
    await user.click(field);
    await user.paste(words);
  };
  return { server, user, field, look };
}

it('finds words in all recordings with time, place and kind', async () => {
  const { server, user, look } = await openTab();
  server.answer(search, {
    hits: [
      hitOf({}),
      hitOf({ id: 8, kind: 'picture', text: 'WEIR 2026', marks: [[0, 4]], second: 3725 }),
      hitOf({ id: 7, stream: 'other', recording: null, second: null }),
    ],
    more: false,
  });
  await look('  weir ');
  const recorded = within(await screen.findByRole('region', { name: 'live/show' }));
  expect(screen.getByText('3 results, newest first')).toBeDefined();
  expect(server.callsTo(search).map(({ body }) => body)).toEqual([{ query: 'weir' }]);
  expect(recorded.getByRole('button', { name: /^2:05 ?we open the weir ?Speech$/ })).toBeDefined();
  expect(recorded.getByRole('button', { name: /^1:02:05 ?WEIR 2026 ?On screen$/ })).toBeDefined();
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'weir',
    'WEIR',
    'weir',
  ]);
  const other = within(screen.getByRole('region', { name: 'live/other' }));
  expect(other.getByText('Not recorded')).toBeDefined();
  expect(other.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('table', { name: 'Recordings' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await screen.findByRole('table', { name: 'Recordings' })).toBeDefined();
});

it('plays a recording and its watch page from the second of a hit', async () => {
  const { server, user, field, look } = await openTab();
  server.answer(search, { hits: [hitOf({})], more: false });
  await look('weir');
  await screen.findByRole('region', { name: 'live/show' });
  await user.type(field, '{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('we open the weir');
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'live/show' }));
  const watch = await dialog.findByLabelText('Watch page');
  expect(new URL((watch as HTMLInputElement).value).searchParams.get('t')).toBe('125');
  const video = await waitFor(() => {
    const found = document.querySelector('video');
    if (!found?.getAttribute('src')) throw new Error('no video yet');
    return found;
  });
  Object.defineProperty(video, 'duration', { value: 300 });
  video.dispatchEvent(new Event('loadedmetadata'));
  expect(video.currentTime).toBe(125.4);
});

it('suggests what to try without hits, and loads more on request', async () => {
  const { server, user, field, look } = await openTab();
  await look('nobody');
  expect(await screen.findByText('No results for “nobody”')).toBeDefined();
  server.answers.set(search, ({ body }) => {
    const { before } = body as { before?: number };
    const hits = before === undefined ? [hitOf({ id: 9 })] : [hitOf({ id: 3, text: 'an older weir', marks: [] })];
    return { body: { code: 0, data: { hits, more: before === undefined }, server: 1 } };
  });
  await look('weir');
  expect(await screen.findByText('The newest result')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('an older weir')).toBeDefined();
  expect(server.callsTo(search).at(-1)?.body).toEqual({ query: 'weir', before: 9 });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await user.type(field, '{Escape}');
  expect(field).toHaveProperty('value', '');
  expect(await screen.findByRole('table', { name: 'Recordings' })).toBeDefined();
});

it('shows a failed search and retries it', async () => {
  const { server, user, look } = await openTab();
  server.refuse(search, 400, 1);
  await look('weir');
  expect(await screen.findByText('The search failed')).toBeDefined();
  expect(screen.queryByText('You got an error!')).toBeNull();
  server.answer(search, { hits: [hitOf({})], more: false });
  await user.click(screen.getByRole('button', { name: 'Search again' }));
  expect(await screen.findByRole('region', { name: 'live/show' })).toBeDefined();
  expect(screen.queryByText('The search failed')).toBeNull();
});

it('offers transcripts in three formats', async () => {
  const { user } = await openTab();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${new URL(this.href).pathname}`);
  });
  for (const form of ['SRT', 'WebVTT', 'text']) {
    await user.click(await screen.findByRole('button', { name: 'More actions for live/show' }));
    await user.click(await screen.findByRole('menuitem', { name: `Download ${form}`, hidden: true }));
  }
  const name = 'live-show-2026-03-01T08-00-00';
  const expected = ['srt', 'vtt', 'txt'].map((form) => `${name}.${form} ${api}/hls/r1/index.${form}`);
  await waitFor(() => expect(saved).toEqual(expected));
  await user.click(screen.getByRole('button', { name: 'More actions for live/mute' }));
  await screen.findByRole('menuitem', { name: 'Copy HLS link', hidden: true });
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Download SRT', hidden: true })).toBeNull());
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'live/show' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'live/show' }));
  expect((await dialog.findByRole('link', { name: 'Download SRT' })).getAttribute('download')).toBe(`${name}.srt`);
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Language' }), 'Deutsch');
  const srt = dialog.getByRole('link', { name: 'Download SRT' });
  expect(srt.getAttribute('href')).toBe(`${api}/hls/r1/index.srt?sign=abc&lang=de`);
  expect(srt.getAttribute('download')).toBe(`${name}.de.srt`);
});

it('saves the choice to embed subtitles at once', async () => {
  const { server, user } = await openTab();
  await user.click(screen.getByRole('button', { name: 'Rules' }));
  const choice = await screen.findByLabelText('Add subtitles to MP4 files');
  expect(choice).toHaveProperty('checked', false);
  const changed = settingsFixture({ all: true, subtitles: true });
  server.accept(`${api}/subtitles`, () => server.answer(`${api}/query`, changed));
  await user.click(choice);
  await waitFor(() =>
    expect(server.callsTo(`${api}/subtitles`).map(({ body }) => body)).toEqual([{ subtitles: true }]),
  );
  await waitFor(() => expect(choice).toHaveProperty('checked', true));
});
