import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSpokenFilm, startInterpreter } from '../../../apps/server/src/features/dubbing/dubbing.fixture.ts';
import type { AiProvider } from '../../ai-provider.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
const long = { timeout: 90_000 };
let provider: AiProvider;
let film: string;

beforeAll(async () => {
  provider = await startInterpreter();
  film = await makeSpokenFilm('story.mp4', 12, [
    [1, 3],
    [4, 6],
    [8, 10],
  ]);
});
afterAll(() => provider?.close());

const sentence = (page: Page, id: number) => page.getByLabel(`Sentence ${id}`, { exact: true });
const choose = async (page: Page, id: number, action: string) => {
  await sentence(page, id).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

it('a film is dubbed: created, followed, corrected, split, merged, rephrased, exported and downloaded', async () => {
  await scenario.live.post('/terraform/v1/mgmt/openai/update', {
    ...{ aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL },
  });
  const { page, faults } = await scenario.openTab('dubbing', 'en', { viewport: { width: 1440, height: 900 } });
  const form = page.getByRole('region', { name: 'New project' });
  await form.getByRole('button', { name: 'Create project' }).click();
  await form.getByText('Please upload a video file to dubbing.').waitFor();
  await form.getByLabel('Choose file').first().setInputFiles(film);
  await form.getByRole('button', { name: 'Upload', exact: true }).click();
  await form.getByRole('button', { name: 'Change files' }).waitFor(long);
  await form.getByRole('button', { name: 'Create project' }).click();
  await expectAccessible(page);

  // A provider that is away is told, and waited for.
  provider.mood = 'no-quota';
  await page.getByRole('button', { name: 'Start dubbing' }).click(long);
  await page.getByText('The account at the AI provider has no credit left.').first().waitFor(long);
  provider.mood = 'well';
  await page.getByRole('button', { name: 'Continue dubbing' }).click(long);
  await page.getByText('Done', { exact: true }).waitFor(long);
  expect(await sentence(page, 2).getByLabel('Translation of sentence 2').inputValue()).toBe('fr Sentence 3 is said.');
  await expectAccessible(page);

  // A correction is saved when it is left, spoken again, undone and redone.
  const first = sentence(page, 0).getByLabel('Translation of sentence 0');
  await first.fill('Bonjour à tous');
  await first.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click(long);
  await expect.poll(() => first.inputValue(), long).toBe('fr Sentence 1 is said.');
  await page.getByRole('button', { name: 'Redo' }).click(long);
  await expect.poll(() => first.inputValue(), long).toBe('Bonjour à tous');
  await sentence(page, 0).getByText(/^Fits/).waitFor(long);

  // From any sentence on: the voice is heard at its place, the film is not.
  await page.getByLabel('Video of My Dubbing Video').waitFor();
  await sentence(page, 1).getByRole('button', { name: 'Play dubbing' }).click();
  await expect.poll(() => page.evaluate('document.querySelector("video").currentTime'), long).toBeGreaterThan(4.2);
  expect(await page.evaluate('document.querySelector("video").muted')).toBe(true);
  await expect.poll(() => sentence(page, 2).getAttribute('aria-current'), long).toBe('true');
  await sentence(page, 2).focus();
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => sentence(page, 1).getAttribute('aria-current'), long).toBe('true');

  await page.evaluate('document.querySelector("video").currentTime = 5');
  await choose(page, 1, 'Split at the play position');
  await sentence(page, 3).waitFor(long);
  await sentence(page, 2)
    .getByText(/^Fits|^Ends/)
    .waitFor(long);
  await choose(page, 1, 'Merge with next');
  await sentence(page, 3).waitFor({ state: 'detached', ...long });
  await sentence(page, 1)
    .getByText(/^Fits|^Ends/)
    .waitFor(long);
  await choose(page, 0, 'Rephrase shorter');
  await sentence(page, 0).getByText('Spoken shorter: fr Bonjour à tous').waitFor(long);

  await page.getByRole('button', { name: 'Make dubbed video' }).click(long);
  const downloading = page.waitForEvent('download', long);
  await page.getByRole('link', { name: /^Download/ }).click(long);
  expect((await downloading).suggestedFilename()).toMatch(/^dubbing-.*\.mp4$/);

  // On a phone one can listen and correct.
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.goto(page.url().replace('/en/', '/zh/'));
  await page.getByLabel('第 0 句的译文').waitFor(long);
  await expectNoSidewaysScroll(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
