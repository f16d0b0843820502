import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { Live } from '../../media/fixtures/live.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openPage } from '../fixtures/browser.fixture.ts';

let live: Live;
let browser: Browser;
let provider: AiProvider;
let room: { uuid: string; roomToken: string };

const change = (fields: object) => live.post('/terraform/v1/live/room/update', { uuid: room.uuid, ...fields });

beforeAll(async () => {
  [live, browser, provider] = await Promise.all([Live.start(), launchBrowser(), AiProvider.start()]);
  provider.reply = (message) => `You asked: ${message}. That is a good question, and here is the rest of it.`;
  room = (await live.post('/terraform/v1/live/room/create', { title: 'Guests' })).data;
  await change({ aiSecretKey: 'sk-test', aiBaseURL: provider.baseURL, aiName: 'Ada', aiTtsEnabled: false });
});
afterAll(() => Promise.all([browser?.close(), live?.close(), provider?.close()]));

async function open(query: string, locale = 'en', options?: BrowserContextOptions) {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-popout?popout=1&${query}`);
  return watched;
}

const link = (more: string) => `app=ai-talk&room=${room.uuid}&roomToken=${room.roomToken}&${more}`;
const say = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'Type a message' }).fill(text);
  await page.keyboard.press('Enter');
};
const answer = (page: Page, text: string) => page.getByRole('log').getByText(`You asked: ${text}`);

it('links that lack something, or lead nowhere, say so', async () => {
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

it('a guest talks by text while somebody reads along; a reload, a crash of the server and failures of the provider lose nothing', async () => {
  const reader = await open(link('assistant=0'), 'en', { viewport: { width: 360, height: 640 } });
  await reader.page.getByText('Nobody is talking in this room yet.').waitFor();
  const { page, faults } = await open(link('assistant=1&username=%3Cb%3EAnn%3C%2Fb%3E&language=fr'));
  await page.getByRole('button', { name: 'Start chat' }).click();
  await reader.page.getByText('Messages appear here.').waitFor();
  await say(page, 'what is a weir?');
  await answer(page, 'what is a weir?').waitFor();
  await page.getByRole('log').getByText('<b>Ann</b>').waitFor();
  await answer(reader.page, 'what is a weir?').waitFor();
  await expectAccessible(page);
  await expectAccessible(reader.page);
  await expectNoSidewaysScroll(reader.page);

  await page.reload();
  await answer(page, 'what is a weir?').waitFor();
  await say(page, 'and after a reload?');
  await answer(page, 'and after a reload?').waitFor();

  provider.mood = 'fails';
  await say(page, 'is anybody there?');
  await page.getByRole('log').getByText("The assistant can't answer right now.").waitFor();
  provider.mood = 'well';
  await page.getByRole('button', { name: 'Try again' }).click();
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

  await live.weir.crashServer();
  await say(page, 'still the same?');
  await answer(page, 'still the same?').waitFor();
  await answer(page, 'what is a weir?').waitFor();
  expect([...faults, ...reader.faults]).toEqual([]);
  expect(await page.getByRole('log').getByText('said without a line', { exact: true }).count()).toBe(1);

  const { data } = await live.post('/terraform/v1/live/room/rotate', { uuid: room.uuid });
  for (const who of [page, reader.page]) await who.getByText('This link no longer works').waitFor();
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
