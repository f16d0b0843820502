import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Live } from '../../media/fixtures/live.fixture.ts';
import { openRoom } from '../../talk-room.fixture.ts';
import { VoiceProvider } from '../../voice-provider.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { openPage, type Watched } from '../fixtures/browser.fixture.ts';
import { giveEars, heard } from '../fixtures/page-ears.fixture.ts';
import { browserHearing } from '../fixtures/spoken-microphone.fixture.ts';

const long = { timeout: 90_000 };
let provider: VoiceProvider;
let live: Live;
let browsers: Browser[] = [];
let link: Awaited<ReturnType<typeof openRoom>>;

beforeAll(async () => {
  provider = await VoiceProvider.start();
  provider.reply = (question) =>
    /weather/i.test(question)
      ? ['It is sunny in Rotterdam today.', 'Tomorrow there will be clouds.']
      : ['Then take an umbrella with you.', 'The afternoon is wet.'];
  const [anna, ben, started] = await Promise.all([
    browserHearing(provider, [5, 'What is the weather like in Rotterdam today?', 1]),
    browserHearing(provider, [4, 'And will it rain tomorrow in the afternoon?', 1]),
    Live.start(),
  ]);
  browsers = [anna, ben];
  live = started;
  link = await openRoom(live, provider);
});
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  await live?.close();
  await provider?.close();
});

async function open(browser: Browser | undefined, more: Record<string, string>): Promise<Watched> {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext();
  await giveEars(context);
  const watched = await openPage(context);
  await watched.page.goto(link(more));
  return watched;
}

async function enter(browser: Browser | undefined, username: string): Promise<Watched> {
  const watched = await open(browser, { assistant: '1', username, language: 'en' });
  await watched.page.getByRole('button', { name: 'Start chat' }).click();
  await watched.page.getByRole('button', { name: 'Hold to talk' }).waitFor(long);
  return watched;
}

/** Who said what, as it stands on the page. */
function said(page: Page): Promise<[string, string][]> {
  return page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('[role=log] [data-role]')].map((row) => [row.dataset.role, row.querySelector('p').innerText])`,
  );
}

async function untilHeard(page: Page, sinceMs: number): Promise<void> {
  await until(async () => (await heard(page)).speaker.some(([from]) => from > sinceMs), 'a voice is heard', 60_000);
}

const now = (page: Page) => page.evaluate<number>('performance.now()');

it('two guests talk to the assistant, each sees and hears all of it, and so does a third who only listens', async () => {
  const anna = await enter(browsers[0], 'Anna');
  const ben = await enter(browsers[1], 'Ben');
  const carl = await open(browsers[0], { assistant: '0' });
  const pages = [anna.page, ben.page, carl.page];
  await carl.page.getByText('Messages appear here.').waitFor(long);

  // Another device hears the sentence from its begin.
  await anna.page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 1' });
  await anna.page.getByRole('heading', { name: 'AI assistant' }).click();
  const begun = await Promise.all(pages.map(now));
  const [spoken = 0] = begun;
  // While the device is changed there is nothing to talk into.
  await until(async () => {
    await anna.page.keyboard.up('Space');
    await anna.page.keyboard.down('Space');
    return anna.page.getByText('Listening. Release to send.').isVisible();
  }, 'the page listens');
  const isSaid = async () => (await heard(anna.page)).microphone.some(([from]) => from > spoken);
  await until(isSaid, 'Anna speaks', 60_000);
  await until(async () => {
    const [last] = (await heard(anna.page)).microphone.slice(-1);
    return last !== undefined && (await now(anna.page)) - last[1] > 400;
  }, 'Anna has spoken');
  await anna.page.keyboard.up('Space');
  for (const page of pages) await page.getByText('Tomorrow there will be clouds.').waitFor(long);
  await Promise.all(pages.map((page, at) => untilHeard(page, begun[at] ?? 0)));

  await ben.page.getByLabel('Hands-free').check();
  await ben.page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 1' });
  for (const page of pages) await page.getByText('The afternoon is wet.').waitFor(long);
  const all = await Promise.all(pages.map(said));
  // How well a model hears on a busy machine is no claim of this story.
  expect(all[0]).toEqual([
    ['user', expect.stringMatching(/weather like/i)],
    ['assistant', 'It is sunny in Rotterdam today. Tomorrow there will be clouds.'],
    ['user', expect.stringMatching(/tomorrow in the afternoon/i)],
    ['assistant', 'Then take an umbrella with you. The afternoon is wet.'],
  ]);
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);

  // Both answers are here: nobody asks the server for them again.
  const idle = async () => (await now(anna.page)) - ((await heard(anna.page)).speaker.at(-1)?.[1] ?? 0) > 1000;
  await until(idle, 'everything was played');
  const asked: string[] = [];
  anna.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const replayed = await now(anna.page);
  await anna.page.getByRole('button', { name: 'Play Ada again' }).first().click();
  await untilHeard(anna.page, replayed);
  expect(asked.filter((path) => path.endsWith('/subscribe/tts'))).toEqual([]);
  for (const { faults } of [anna, ben, carl]) expect(faults).toEqual([]);
});
