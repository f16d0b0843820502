import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavOf } from '../../ai/human-speech.fixture.ts';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { Live } from '../../media/fixtures/live.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openPage } from '../fixtures/browser.fixture.ts';
import { giveEars, heard } from '../fixtures/page-ears.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

let live: Live;
let browser: Browser;
let provider: AiProvider;
let room: { uuid: string; roomToken: string };

const change = (fields: object) => live.post('/terraform/v1/live/room/update', { uuid: room.uuid, ...fields });

beforeAll(async () => {
  // Default autoplay policy: no audio before a user gesture.
  const args = ['--autoplay-policy=document-user-activation-required'];
  [live, browser, provider] = await Promise.all([Live.start(), launchBrowser(args), AiProvider.start()]);
  provider.reply = (message) => `You asked: ${message}. That is a good question, and here is the rest of it.`;
  room = (await live.post('/terraform/v1/live/room/create', { title: 'Guests' })).data;
  await change({ aiSecretKey: 'sk-test', aiBaseURL: provider.baseURL, aiName: 'Ada', aiTtsEnabled: false });
});
afterAll(() => Promise.all([browser?.close(), live?.close(), provider?.close()]));

const talkUrl = (locale: string, query: string) =>
  `${live.weir.origin}/mgmt/${locale}/routers-popout?popout=1&${query}`;

async function eared(options?: BrowserContextOptions) {
  const context = await browser.newContext(options);
  await giveEars(context);
  return context;
}

async function open(query: string, locale = 'en', options?: BrowserContextOptions) {
  const watched = await openPage(await eared(options));
  await watched.page.goto(talkUrl(locale, query));
  return watched;
}

const link = (more: string) => `app=ai-talk&room=${room.uuid}&roomToken=${room.roomToken}&${more}`;
const zh = textsIn('zh');
const say = async (page: Page, text: string, field = 'Type a message') => {
  await page.getByRole('textbox', { name: field }).fill(text);
  await page.keyboard.press('Enter');
};
/** Simulates a conversation older than the retention time. */
function ageConversation(): void {
  const directory = join(live.weir.dataDir, 'talk');
  const file = join(directory, readdirSync(directory).find((name) => name.endsWith('.stage')) ?? '');
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...kept, savedAtMs: kept.savedAtMs - 601_000 }));
}
/** Tone of the given duration at 16 kHz. */
const voiceOf = (seconds: number) =>
  Buffer.from(Int16Array.from({ length: seconds * 16_000 }, (_, at) => 8000 * Math.sin(at / 8)).buffer);
const saysThatItAsks = `new MutationObserver(() => {
  const isAsking = [...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Play spoken answers');
  if (isAsking) console.info('asks to be heard');
}).observe(document, { childList: true, subtree: true })`;
const answer = (page: Page, text: string) => page.getByRole('log').getByText(`You asked: ${text}`);

it('the talk page explains links that are incomplete or unknown', async () => {
  const { page, faults } = await open('app=ai-talk&room=1');
  await page.getByText('no room token', { exact: true }).waitFor();
  await page.goto(
    `${live.weir.origin}/mgmt/zh/routers-popout?popout=1&app=ai-talk&room=none&roomToken=none&assistant=1`,
  );
  await page.getByText('此房间已不存在').waitFor();
  await page.goto(
    `${live.weir.origin}/mgmt/en/routers-popout?popout=1&${link('assistant=1').replace(room.roomToken, 'guess')}`,
  );
  await page.getByText('This link no longer works').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

it('the talk page asks for a click before it plays audio, and explains what cannot be played or comes too late', async () => {
  await change({ aiTtsEnabled: true, aiMaxWaitSeconds: 5 });
  const { page, faults } = await open(link('assistant=1'));
  await page.getByRole('button', { name: 'Start chat' }).click();
  // There is no voice, and then one that sends no audio: the text is there, and words.
  provider.skills = ['speech', 'chat'];
  await say(page, 'have you a voice?');
  await answer(page, 'have you a voice?').waitFor();
  await page.getByText("This answer couldn't be played.").waitFor();
  provider.skills = ['speech', 'chat', 'voice'];
  await say(page, 'can you speak?');
  await until(async () => (await page.getByText("This answer couldn't be played.").count()) === 2, 'words for both');
  // Asking a page for something touches it: until it has been blocked only its calls are looked at, and what it says by itself.
  const reader = await openPage(await eared());
  await reader.page.addInitScript(saysThatItAsks);
  const isListening = reader.page.waitForResponse((response) => response.url().includes('/subscribe/query'));
  await reader.page.goto(talkUrl('en', link('assistant=0')));
  await isListening;
  provider.speaks = () => Buffer.from(wavOf(voiceOf(3)));
  const asks = reader.page.waitForEvent('console', (message) => message.text() === 'asks to be heard');
  await say(page, 'and now?');
  await asks;
  await reader.page.getByRole('button', { name: 'Play spoken answers' }).waitFor();
  expect((await heard(reader.page)).speaker).toEqual([]);
  // Earlier answers are shown but not played.
  await answer(reader.page, 'can you speak?').waitFor();
  await reader.page.getByRole('button', { name: 'Play spoken answers' }).click();
  await until(async () => (await heard(reader.page)).speaker.length > 0, 'the answer is heard');
  expect(await reader.page.getByRole('button', { name: 'Play spoken answers' }).count()).toBe(0);

  provider.mood = 'silent';
  await say(page, 'are you slow?');
  await page.getByRole('log').getByText('The assistant took too long to answer.').waitFor();
  provider.mood = 'well';
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await answer(page, 'are you slow?').waitFor();
  expect(await page.getByRole('log').getByText('are you slow?', { exact: true }).count()).toBe(1);
  expect([...faults, ...reader.faults]).toEqual([]);
  await change({ aiTtsEnabled: false, assistant: false });
  await page.getByText('The assistant of this room is off').waitFor();
  await change({ assistant: true });
  for (const one of [page, reader.page]) await one.context().close();
});

it('the talk page loses nothing in a reload, without a connection, in a crash of the server, with an expired conversation and failures of the provider', async () => {
  const reader = await open(link('assistant=0'), 'zh', { viewport: { width: 360, height: 640 } });
  await reader.page.getByText('房间里还没有人说话').waitFor();
  const { page, faults } = await open(link('assistant=1&username=%3Cb%3EAnn%3C%2Fb%3E&language=fr'));
  await page.getByRole('button', { name: 'Start chat' }).click();
  await reader.page.getByText('消息会显示在这里。').waitFor();
  await say(page, 'what is a weir?');
  await answer(page, 'what is a weir?').waitFor();
  await page.getByRole('log').getByText('<b>Ann</b>').waitFor();
  await answer(reader.page, 'what is a weir?').waitFor();
  await expectAccessible(page);
  await expectAccessible(reader.page);
  await expectNoSidewaysScroll(reader.page);

  // On a phone, in Chinese, and without a connection for 20 seconds of what follows.
  const phone = await open(link('assistant=1&username=An'), 'zh', { viewport: { width: 390, height: 844 } });
  await phone.page.getByRole('button', { name: zh('talk.startChat') }).click();
  await say(phone.page, '这是什么?', zh('talk.text'));
  await answer(phone.page, '这是什么?').waitFor();
  await phone.page.context().setOffline(true);
  const leftAtMs = Date.now();
  await say(phone.page, '有人吗?', zh('talk.text'));
  await phone.page.getByText(zh('talk.willSend')).waitFor();

  await page.reload();
  await answer(page, 'what is a weir?').waitFor();
  await say(page, 'and after a reload?');
  await answer(page, 'and after a reload?').waitFor();

  provider.mood = 'fails';
  await say(page, 'is anybody there?');
  await page.getByRole('log').getByText("The assistant can't answer right now.").waitFor();
  provider.mood = 'well';
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await answer(page, 'is anybody there?').waitFor();
  expect(await page.getByRole('log').getByText("The assistant can't answer right now.").count()).toBe(0);

  provider.mood = 'half';
  await say(page, 'tell me more');
  await page.getByRole('log').getByText('The answer was cut off.').waitFor();
  provider.mood = 'well';

  await page.context().setOffline(true);
  await say(page, 'said without a line');
  await page.getByText('Will be sent when the connection is back.').waitFor();
  await page.context().setOffline(false);
  await answer(page, 'said without a line').waitFor();

  await until(() => Date.now() - leftAtMs > 20_000, 'they are away for long', 25_000);
  expect(await answer(page, '有人吗?').count()).toBe(0);
  await phone.page.context().setOffline(false);
  await answer(phone.page, '有人吗?').waitFor();
  for (const missed of ['and after a reload?', 'is anybody there?', 'said without a line'])
    await answer(phone.page, missed).waitFor();
  expect(await phone.page.getByText(zh('talk.willSend')).count()).toBe(0);

  await live.weir.crashServer();
  await say(page, 'still the same?');
  await answer(page, 'still the same?').waitFor();
  await answer(page, 'what is a weir?').waitFor();
  expect(await page.getByRole('log').getByText('said without a line', { exact: true }).count()).toBe(1);

  ageConversation();
  await live.weir.crashServer();
  await page.getByText('The conversation was interrupted and starts anew.').waitFor();
  await phone.page.getByText(zh('talk.note.anew')).waitFor();
  await say(phone.page, '还记得我吗?', zh('talk.text'));
  for (const one of [page, phone.page, reader.page]) {
    await answer(one, '还记得我吗?').waitFor();
    await answer(one, '这是什么?').waitFor();
  }
  expect([...faults, ...reader.faults, ...phone.faults]).toEqual([]);

  const { data } = await live.post('/terraform/v1/live/room/rotate', { uuid: room.uuid });
  await page.getByText('This link no longer works').waitFor();
  await reader.page.getByText('此链接已失效').waitFor();
  await page.getByRole('button', { name: 'Conversation menu' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download conversation' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toMatch(
    /^\[.*\] <b>Ann<\/b>: what is a weir\?\n\[.*\] Ada: You asked: what/,
  );
  await answer(page, 'still the same?').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  room = data;
  const other = await open(link('assistant=1'));
  await other.page.getByRole('button', { name: 'Start chat' }).waitFor();
  await change({ assistant: false });
  await other.page.getByText('The assistant of this room is off').waitFor();
  expect(asked.filter((url) => url.includes('/ai-talk/'))).toEqual([]);
});
