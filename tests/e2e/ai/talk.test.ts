import { builtInBaseUrl } from '@weir/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localModels } from '../../local-ai.fixture.ts';
import { Live } from '../../media/fixtures/live.fixture.ts';
import { openRoom } from '../../talk-room.fixture.ts';
import { VoiceProvider } from '../../voice-provider.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { openPage, type Watched } from '../fixtures/browser.fixture.ts';
import { giveEars, heard } from '../fixtures/page-ears.fixture.ts';
import { browserHearing } from '../fixtures/spoken-microphone.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

const long = { timeout: 90_000 };
/** Each sentence takes ten seconds to say and no pause, so that a voice that is made on a busy machine has no gaps. */
const longStory =
  'long story about a river that comes from the mountains and goes by many towns and mills and meadows until it reaches the sea where the boats of the fishermen wait';
/** Some of what Anna says. How well a model hears on a busy machine is no claim of these stories. */
const asked = /what|weather|like|rotterdam|today/i;
const [en, zh] = [textsIn('en'), textsIn('zh')];
/** To what is asked first, for as long as nobody has. */
const answers = [['It is sunny in Rotterdam today.', 'Tomorrow there will be clouds.']];
let provider: VoiceProvider;
let live: Live;
let browsers: Browser[] = [];
let link: Awaited<ReturnType<typeof openRoom>>;

beforeAll(async () => {
  provider = await VoiceProvider.start();
  // Answers in a fixed order, whatever was recognised.
  provider.reply = (question) =>
    /story/i.test(question)
      ? Array.from({ length: 60 }, (_, n) => `This is sentence number ${n + 1} of a ${longStory}.`)
      : (answers.shift() ?? ['Then take an umbrella with you.', 'The afternoon is wet.']);
  const [anna, ben, started] = await Promise.all([
    browserHearing(provider, [5, 'What is the weather like in Rotterdam today?', 1]),
    browserHearing(provider, [4, 'And will it rain tomorrow in the afternoon?', 1]),
    localModels().then((models) => Live.start({ WEIR_MODELS: models })),
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

async function open(browser: Browser | undefined, more: Record<string, string>, to = link): Promise<Watched> {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext();
  await giveEars(context);
  const watched = await openPage(context);
  await watched.page.goto(to(more));
  return watched;
}

async function enter(browser: Browser | undefined, username: string, to = link, word = en): Promise<Watched> {
  const watched = await open(browser, { assistant: '1', username, language: 'en' }, to);
  await watched.page.getByRole('button', { name: word('talk.startChat') }).click();
  await watched.page.getByRole('button', { name: word('talk.microphone.talk') }).waitFor(long);
  return watched;
}

/** The same with a page in Chinese. */
const enterInChinese = (browser: Browser | undefined, username: string) =>
  enter(browser, username, (more) => link(more).replace('/mgmt/en/', '/mgmt/zh/'), zh);

/** Speakers and texts on the page. */
function said(page: Page): Promise<[string, string][]> {
  return page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('[role=log] [data-role]')].map((row) => [row.dataset.role, row.querySelector('p').innerText])`,
  );
}

async function untilHeard(page: Page, sinceMs: number): Promise<void> {
  await until(async () => (await heard(page)).speaker.some(([from]) => from > sinceMs), 'a voice is heard');
}

/** While the device is changed there is nothing to talk into. */
async function hold(page: Page, words: string): Promise<void> {
  await until(async () => {
    await page.keyboard.up('Space');
    await page.keyboard.down('Space');
    return page.getByText(words).isVisible();
  }, 'the page listens');
}

const now = (page: Page) => page.evaluate<number>('performance.now()');

/** When a text came to the screen, by the clock of the page: a driver on a busy machine sees it later. */
const firstShown = (page: Page, text: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.body.innerText.includes(${JSON.stringify(text)}) && resolve(performance.now());
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  })`);

it('two guests talk to the assistant, one in Chinese, each sees and hears everything, and so does a third who only listens', async () => {
  const anna = await enter(browsers[0], 'Anna');
  const ben = await enterInChinese(browsers[1], 'Ben');
  const carl = await open(browsers[0], { assistant: '0' });
  const pages = [anna.page, ben.page, carl.page];
  await carl.page.getByText('Messages appear here.').waitFor(long);

  // Another device receives the sentence from its start.
  await anna.page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 1' });
  await anna.page.getByRole('heading', { level: 1 }).click();
  const begun = await Promise.all(pages.map(now));
  const [spoken = 0] = begun;
  await hold(anna.page, 'Listening. Release to send.');
  const isSaid = async () => (await heard(anna.page)).microphone.some(([from]) => from > spoken);
  await until(isSaid, 'Anna speaks');
  await until(async () => {
    const [last] = (await heard(anna.page)).microphone.slice(-1);
    return last !== undefined && (await now(anna.page)) - last[1] > 400;
  }, 'Anna has spoken');
  await anna.page.keyboard.up('Space');
  for (const page of pages) await page.getByText('Tomorrow there will be clouds.').waitFor(long);
  await Promise.all(pages.map((page, at) => untilHeard(page, begun[at] ?? 0)));

  await ben.page.getByLabel(zh('talk.microphone.handsFree')).check();
  const device = ben.page.getByLabel(zh('talk.microphone.device'), { exact: true });
  await device.selectOption({ label: 'Fake Audio Input 1' });
  for (const page of pages) await page.getByText('The afternoon is wet.').waitFor(long);
  const all = await Promise.all(pages.map(said));
  expect(all[0]).toEqual([
    ['user', expect.stringMatching(asked)],
    ['assistant', 'It is sunny in Rotterdam today. Tomorrow there will be clouds.'],
    ['user', expect.stringMatching(/will|rain|tomorrow|afternoon/i)],
    ['assistant', 'Then take an umbrella with you. The afternoon is wet.'],
  ]);
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);

  // Both answers are loaded; nothing requests them again.
  const idle = async () => (await now(anna.page)) - ((await heard(anna.page)).speaker.at(-1)?.[1] ?? 0) > 1000;
  await until(idle, 'everything was played');
  const calls: string[] = [];
  anna.page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const replayed = await now(anna.page);
  await anna.page.getByRole('button', { name: 'Play Ada again' }).first().click();
  await untilHeard(anna.page, replayed);
  expect(calls.filter((path) => path.endsWith('/subscribe/tts'))).toEqual([]);
  for (const { faults } of [anna, ben, carl]) expect(faults).toEqual([]);
});

it('a guest who speaks during an answer interrupts it: the voice stops, and so does the answer', async () => {
  answers.length = 0;
  const { page, faults } = await enter(browsers[1], 'Ben');
  await page.getByRole('textbox', { name: 'Type a message' }).fill('Tell me a story.');
  await page.keyboard.press('Enter');
  const askedMs = await now(page);
  await untilHeard(page, askedMs);
  const isAnswered = firstShown(page, 'Then take an umbrella');
  // From its begin: some seconds of silence, then the question. What the first device hears of it is sent to nobody.
  await page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 1' });
  const from = await now(page);
  await page.getByLabel('Hands-free').check();
  const spoken = async () => (await heard(page)).microphone.find(([begin]) => begin > from);
  await until(async () => (await spoken()) !== undefined, 'Ben speaks');
  // The answer to what he said, however much of it was understood.
  const answered = await isAnswered;
  const [begin = 0, end = 0] = (await spoken()) ?? [];
  const speaker = (await heard(page)).speaker.filter(([at]) => at > askedMs && at < answered);
  // The story was being told. On an idle machine it stops while he speaks; without an interruption it would go on for minutes.
  const [, lastMs = 0] = speaker.at(-1) ?? [];
  expect(lastMs).toBeGreaterThan(begin - 500);
  expect(lastMs).toBeLessThan(end + 5000);
  await until(() => provider.cut.some((question) => /story/i.test(question)), 'the answer is given up');
  expect(await page.getByText('sentence number 60 of').count()).toBe(0);
  await untilHeard(page, answered);
  expect(faults).toEqual([]);
});

it('recognised text grows while a guest speaks, and is corrected before it is sent where the owner allows it', async () => {
  const builtIn = { aiBaseURL: builtInBaseUrl, aiChatEnabled: false, aiTtsEnabled: false, aiAsrEdit: true };
  const to = await openRoom(live, provider, builtIn);
  const { page, faults } = await enter(browsers[0], 'Anna', to);
  // The first request loads the model.
  const wav = (await provider.say('Is anybody there?')).toString('base64');
  const query = new URL(to({})).searchParams;
  const key = { room: query.get('room'), roomToken: query.get('roomToken') };
  const talk = async (path: string, body: object) =>
    (await live.post(`/terraform/v1/ai-talk/stage/${path}`, body)).data;
  const warm = await talk('start', key);
  const isWarm = async () => (await talk('hear', { ...key, ...warm, audio: wav })).isFinal === true;
  await until(isWarm, 'built-in AI hears', 90_000);

  await page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 1' });
  await page.getByRole('heading', { level: 1 }).click();
  await hold(page, 'Listening. Release to check the text.');
  await page.locator('[data-growing]').waitFor({ timeout: 180_000 });
  const words = async () => (await page.locator('[data-growing]').innerText()).split(' ');
  await until(async () => (await words()).length > 4, 'it has grown');
  await page.keyboard.up('Space');
  const field = page.getByRole('textbox', { name: 'Type a message' });
  await until(async () => asked.test(await field.inputValue()), 'it can be corrected');
  expect(await said(page)).toEqual([]);
  await field.fill('What is the weather like in Utrecht?');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('What is the weather like in Utrecht?').waitFor(long);
  expect(await said(page)).toEqual([['user', 'What is the weather like in Utrecht?']]);
  expect(faults).toEqual([]);
});
