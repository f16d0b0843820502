import { mkdtempSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { localModels, localModelsWith } from '../../local-ai.fixture.ts';
import { Weir } from '../../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openPage,
  openSharedDesk,
} from '../fixtures/browser.fixture.ts';

const key = 'sk-0123456789abcdef';
const models = join(mkdtempSync(join(tmpdir(), 'weir-models-')), 'models');
let browser: Browser;
let weir: Weir;
let desk: BrowserContext;
let provider: AiProvider;

beforeAll(async () => {
  provider = await AiProvider.start();
  provider.key = key;
  [browser, weir] = await Promise.all([launchBrowser(), Weir.start({ WEIR_MODELS: models })]);
  desk = await openSharedDesk(browser, { origin: weir.origin, session: await weir.setUp() });
});
afterAll(async () => {
  await Promise.all([browser.close(), weir.close(), provider.close()]);
});

async function open(language: 'en' | 'zh' = 'en', path = 'routers-settings?tab=llm') {
  const watched = await openPage(desk);
  await watched.page.goto(`${weir.origin}/mgmt/${language}/${path}`);
  return watched;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

it('an AI provider is chosen, tested per capability, and saved', async () => {
  const { page, faults } = await open();
  await page.getByLabel('Provider', { exact: true }).selectOption('Ollama');
  expect(await page.getByLabel('Base URL').inputValue()).toBe('http://localhost:11434/v1');
  expect(await page.getByLabel('Secret key').inputValue()).toBe('none');
  await page.getByLabel('Provider', { exact: true }).selectOption('Other (OpenAI-compatible)');
  await page.getByLabel('Secret key').fill(key);
  await page.getByLabel('Base URL').fill(provider.baseURL);
  await press(page, 'Test connection');
  await page.getByText('Test passed: everything works.').waitFor();

  provider.skills = ['chat', 'vision'];
  await press(page, 'Test connection');
  await page.getByText('2 of 4 work').waitFor();
  const results = page.getByRole('list', { name: 'Test results' });
  await results.getByText('Chat works').waitFor();
  await results.getByText("Speech to text doesn't work").waitFor();
  await results.getByText("The AI provider doesn't offer the required model.").first().waitFor();
  provider.skills = ['speech', 'chat', 'vision', 'voice'];

  provider.mood = 'garbage';
  await press(page, 'Test connection');
  await page.getByText('Test failed').waitFor();
  await results.getByText("The AI provider's answer can't be used.").first().waitFor();
  provider.mood = 'well';

  await section(page, 'AI provider').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await section(page, 'Where data goes').getByText(`Sent to ${provider.host}`).first().waitFor();
  expect(faults).toEqual([]);
});

it('the AI usage of today is shown, and a limit is set', async () => {
  const { page, faults } = await open();
  const table = page.getByRole('table', { name: 'Usage today' });
  await table.getByText('Connection tests').waitFor();
  await table.getByText(provider.host).waitFor();
  const limits = section(page, 'Daily limits');
  await limits.getByLabel('Requests per day: Transcript').fill('a lot');
  await limits.getByRole('button', { name: 'Save' }).click();
  await limits.getByText('Enter a whole number from 0 to 1000000.').waitFor();
  await limits.getByLabel('Requests per day: Transcript').fill('500');
  await limits.getByLabel('Audio minutes per day: Transcript').fill('90');
  await limits.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.reload();
  await expect.poll(() => limits.getByLabel('Requests per day: Transcript').inputValue()).toBe('500');
  expect(await limits.getByLabel('Audio minutes per day: Transcript').inputValue()).toBe('90');

  const choices = section(page, 'Models');
  await choices.getByLabel('Chat').fill('llama3');
  await expect.poll(() => page.locator('datalist option').count()).toBe(4);
  await choices.getByRole('button', { name: 'Save' }).click();
  await press(page, 'Test connection');
  await page.getByText('llama3 · ').waitFor();
  expect(faults).toEqual([]);
});

it('a room gets an assistant and a link for guests, and a replaced link stops working', async () => {
  const { page, faults } = await open('en', 'routers-scenario?tab=stream');
  await press(page, 'Add room');
  await press(page, 'Create room');
  const assistant = section(page, 'AI assistant');
  // Each task shows it too once the tasks are loaded.
  await assistant.getByText(`Sent to ${provider.host}`).first().waitFor();
  await assistant.getByLabel('Assistant name').fill('Ada');
  await assistant.getByRole('tab', { name: 'Chat' }).click();
  const model = assistant.getByRole('combobox', { name: 'Model' });
  await model.fill('gpt-4o');
  // Each field has a list of its own, and those of the other tabs are filled some time later.
  const names = page.locator(`[id="${await model.getAttribute('list')}"] option`);
  await expect.poll(() => names.count()).toBe(4);
  expect(await assistant.getByRole('textbox', { name: 'Maximum words' }).inputValue()).toBe('300');
  // Before anything is told in a note that fades in: what is half there has no contrast.
  await expectAccessible(page);
  await assistant.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();

  await assistant.getByRole('tab', { name: 'Guest link' }).click();
  await assistant.getByRole('radio', { name: 'Dictation' }).check();
  await assistant.getByLabel('Guest name').fill('Bob & Eve');
  const popup = desk.waitForEvent('page');
  await assistant.getByRole('button', { name: 'Open' }).click();
  const guest = await popup;
  await guest.waitForURL(/routers-popout/);
  const { searchParams } = new URL(guest.url());
  expect([...searchParams.keys()].join()).toBe(
    'app,popout,assistant,created,random,username,language,pattern,room,roomToken',
  );
  expect([searchParams.get('username'), searchParams.get('pattern')]).toEqual(['Bob & Eve', 'dictation']);
  await guest.close();
  const verify = async (roomToken: string | null) =>
    (await weir.post('/terraform/v1/ai-talk/stage/verify', { room: searchParams.get('room'), roomToken })).status;
  expect(await verify(searchParams.get('roomToken'))).toBe(200);

  await press(page, 'Replace links');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace links' }).click();
  await page.getByText('Links replaced').waitFor();
  expect(await verify(searchParams.get('roomToken'))).not.toBe(200);
  await assistant.getByRole('tab', { name: 'Basic' }).click();
  await press(page, 'Disable assistant');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable assistant' }).click();
  await assistant.getByRole('button', { name: 'Enable assistant' }).waitFor();
  expect(faults).toEqual([]);
});

it('built-in AI is installed, answers without a provider, and is removed', async () => {
  const { page, faults } = await open();
  const local = section(page, 'Built-in AI');
  await local.getByText('Not installed').waitFor();
  await local.getByText(/contains GPL-3\.0 code/).waitFor();
  // Machine without a network: files are copied by hand and only checked.
  await cp(await localModels(), models, { recursive: true });
  await expect
    .poll(
      async () => {
        if (await local.getByRole('button', { name: 'Remove built-in AI' }).isVisible()) return true;
        const install = local.getByRole('button', { name: /^(Install built-in AI|Continue installation)$/ });
        if (await install.isVisible()) await install.click();
        return false;
      },
      { timeout: 180_000, interval: 500 },
    )
    .toBe(true);
  await local.getByText('Installed', { exact: true }).waitFor();

  const { page: components } = await open('en', 'routers-components');
  await components
    .getByRole('region', { name: 'Built-in AI' })
    .getByText(/Idle|Running/)
    .first()
    .waitFor();
  const headers = await bearer();
  const test = async () =>
    (await weir.post('/terraform/v1/ai/provider/test', { baseURL: 'http://built-in/v1' }, headers)).data.results[0];
  // A busy machine loads the model more slowly than the test waits.
  await expect.poll(test).toMatchObject({ need: 'transcribe', works: true, by: 'built-in' });
  await components.getByRole('region', { name: 'Built-in AI' }).getByText('Running').waitFor();

  // Another model: its files are there, so that they are only checked.
  await cp(await localModelsWith('whisper-base'), models, { recursive: true });
  await local
    .getByRole('button', { name: 'Install Whisper base' })
    .or(local.getByRole('button', { name: 'Remove Whisper base' }))
    .click();
  await local.getByRole('button', { name: 'Remove Whisper base' }).waitFor();
  const { data } = await weir.post('/terraform/v1/ai/local/query', {}, headers);
  expect(data.sets).toContainEqual(
    expect.objectContaining({ set: 'whisper-base', state: 'installed', downloadBytes: 0 }),
  );
  await local.getByRole('button', { name: 'Remove Whisper base' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Whisper base removed').waitFor();
  await local.getByRole('button', { name: 'Install Whisper base' }).waitFor();

  await local.getByRole('button', { name: 'Remove built-in AI' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove built-in AI' }).click();
  await local.getByText('Not installed').waitFor();
  expect(faults).toEqual([]);
});

it('the AI settings are complete in Chinese', async () => {
  const { page, faults } = await open('zh');
  for (const title of ['AI 服务', '内置 AI', '数据去向', '模型', '今日用量', '每日上限'])
    await section(page, title).waitFor();
  await press(page, '测试连接');
  await page.getByText('测试通过：全部能力可用。').waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${weir.origin}/mgmt/zh/routers-scenario?tab=stream`);
  await page.getByRole('link', { name: 'My Live Room' }).click();
  const assistant = section(page, 'AI 助手');
  await assistant.getByRole('button', { name: '启用助手' }).click();
  await page.getByText('助手已启用').waitFor();
  await page.getByText('助手已启用').waitFor({ state: 'detached' });
  await assistant.getByRole('tab', { name: '访客链接' }).click();
  await assistant.getByRole('radio', { name: '仅显示文字记录' }).check();
  expect(await assistant.getByLabel('链接', { exact: true }).inputValue()).toContain('/mgmt/zh/routers-popout?');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

/** The sign-in of the desk, for calls beside the page. */
async function bearer(): Promise<Record<string, string>> {
  const { data } = await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  return { authorization: `Bearer ${data.bearer}` };
}
