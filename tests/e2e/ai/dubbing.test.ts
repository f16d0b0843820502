import { dubbingDucking } from '@weir/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSpokenFilm } from '../../../apps/server/src/features/dubbing/dubbing.fixture.ts';
import { startInterpreter } from '../../../apps/server/src/features/dubbing/interpreter.fixture.ts';
import type { AiProvider } from '../../ai-provider.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

const scenario = scenarioOfFile();
const long = { timeout: 90_000 };
let provider: AiProvider;
let film: string;

beforeAll(async () => {
  provider = await startInterpreter();
  provider.voices = ['af_bella', 'zf_xiaoxiao'];
  film = await makeSpokenFilm('story.mp4', 12, [
    [1, 3],
    [4, 6],
    [8, 10],
  ]);
});
afterAll(() => provider?.close());

/** The studio as somebody who reads this language sees it. */
function studioOf(page: Page, locale: 'en' | 'zh') {
  const word = textsIn(locale);
  const sentence = (id: number) => page.getByLabel(word('dubbing.group.label', { id: id + 1 }), { exact: true });
  const press = (key: string) => page.getByRole('button', { name: word(key), exact: true }).click(long);
  return {
    word,
    sentence,
    press,
    translation: (id: number) => page.getByLabel(word('dubbing.group.translation', { id: id + 1 })),
    choose: async (id: number, action: string) => {
      await sentence(id)
        .getByLabel(word('dubbing.group.more', { id: id + 1 }))
        .click();
      await page.getByRole('menuitem', { name: word(`dubbing.group.${action}`), exact: true }).click();
    },
    /** Spoken and in its place. */
    fits: (id: number) => {
      const starts = ['fits', 'pause'].map((key) => word(`dubbing.group.${key}`, { seconds: '' }).slice(0, 3));
      return sentence(id)
        .getByText(new RegExp(`^(${starts.join('|')})`))
        .waitFor(long);
    },
  };
}
type StudioPage = ReturnType<typeof studioOf>;

async function createProject(page: Page, { word }: StudioPage): Promise<void> {
  await page.getByRole('button', { name: word('dubbing.create.title') }).click();
  const form = page.getByRole('dialog', { name: word('dubbing.create.title') });
  await form.getByRole('button', { name: word('dubbing.create.action') }).click();
  await form.getByText(word('dubbing.create.noFile')).waitFor();
  await form.getByLabel(word('source.chooseFile')).first().setInputFiles(film);
  await form.getByRole('button', { name: word('source.send'), exact: true }).click();
  await form.getByRole('button', { name: word('source.change') }).waitFor(long);
  await form.getByLabel(word('dubbing.create.language')).selectOption('en');
  await form.getByRole('button', { name: word('dubbing.create.action') }).click();
}

/** Chooses a voice that the provider lists. */
async function chooseVoice(page: Page, { word, press }: StudioPage): Promise<void> {
  await page.getByRole('tab', { name: word('dubbing.setting.tts'), exact: true }).click();
  const field = page.getByRole('combobox', { name: word('llm.field.voice'), exact: true });
  await field.focus();
  await expect.poll(() => page.locator('datalist option[value="zf_xiaoxiao"]').count(), long).toBe(1);
  await field.fill('zf_xiaoxiao');
  await press('helper.update');
  await page.getByText(word('helper.setOk')).waitFor(long);
}

it.each(['en', 'zh'] as const)('a film is dubbed in %s: created, followed, corrected, exported', async (locale) => {
  await scenario.live.post('/terraform/v1/mgmt/openai/update', {
    aiSecretKey: 'sk-0123456789abcdef',
    aiBaseURL: provider.baseURL,
  });
  const { page, faults } = await scenario.openTab('dubbing', locale, { viewport: { width: 1440, height: 900 } });
  const studio = studioOf(page, locale);
  const { word, sentence, translation, press, choose, fits } = studio;
  await createProject(page, studio);
  await page.getByRole('button', { name: word('dubbing.task.start') }).waitFor(long);
  await expectAccessible(page);

  await chooseVoice(page, studio);

  // A problem that a person must fix is shown in their language; dubbing continues afterwards or starts anew.
  provider.mood = 'no-quota';
  await press('dubbing.task.start');
  await page.getByText(word('ai.why.quota')).first().waitFor(long);
  provider.mood = 'well';
  if (locale === 'en') {
    await press('dubbing.task.cancel');
    await press('dubbing.task.cancelAction');
    await press('dubbing.task.start');
  } else await press('dubbing.task.resume');
  await page.getByText(word('dubbing.task.status.done'), { exact: true }).first().waitFor(long);
  expect(String(provider.asked.find(({ path }) => path.endsWith('/speech'))?.body)).toContain('zf_xiaoxiao');
  expect(await translation(2).inputValue()).toBe('fr Sentence 3 is said.');
  await expectAccessible(page);

  // A correction is saved when it is left, spoken again, undone and redone.
  await translation(0).fill('Bonjour à tous');
  await translation(0).press('Enter');
  await press('dubbing.studio.undo');
  await expect.poll(() => translation(0).inputValue(), long).toBe('fr Sentence 1 is said.');
  await press('dubbing.studio.redo');
  await expect.poll(() => translation(0).inputValue(), long).toBe('Bonjour à tous');
  await fits(0);

  if (locale === 'en') await listen(page, studio);
  else await listenOver(page, studio);
  await page.evaluate('document.querySelector("video").currentTime = 5');
  await choose(1, 'split');
  await sentence(3).waitFor(long);
  await fits(2);
  // Undone, it has the translation that it had; redone, the halves have theirs.
  await press('dubbing.studio.undo');
  await sentence(3).waitFor({ state: 'detached', ...long });
  expect(await translation(1).inputValue()).toBe('fr Sentence 2 is said.');
  await press('dubbing.studio.redo');
  await sentence(3).waitFor(long);
  expect(await translation(2).inputValue()).toBe('fr is said.');
  await fits(2);
  await choose(1, 'mergeNext');
  await sentence(3).waitFor({ state: 'detached', ...long });
  await fits(1);
  await choose(0, 'rephrase');
  const shorter = sentence(0).getByText(word('dubbing.group.shorter', { text: 'fr Bonjour à tous' }));
  await shorter.waitFor(long);
  await press('dubbing.studio.undo');
  await shorter.waitFor({ state: 'detached', ...long });
  await press('dubbing.studio.redo');
  await shorter.waitFor(long);

  const making = page.getByText(word('dubbing.export.making', { percent: 0 })).waitFor(long);
  await press('dubbing.export.make');
  await making;
  const downloading = page.waitForEvent('download', long);
  const [ready = ''] = word('dubbing.export.download', { size: '|' }).split('|');
  await page.getByRole('link', { name: ready.replace(/[(（]$/, '') }).click(long);
  expect((await downloading).suggestedFilename()).toMatch(/^dubbing-.*\.mp4$/);

  // Again from a step.
  await press('dubbing.task.restart');
  await page.getByRole('menuitem', { name: word('dubbing.task.step.tts') }).click();
  await press('dubbing.task.restartAction');
  await page.getByText(word('dubbing.task.status.done'), { exact: true }).first().waitFor(long);
  // The film that was made is not of these voices.
  await page.getByRole('button', { name: word('dubbing.export.make'), exact: true }).waitFor(long);

  // On a phone one can listen and correct.
  await page.setViewportSize({ width: 390, height: 844 });
  await translation(0).waitFor(long);
  expect(await page.getByRole('region', { name: word('dubbing.timeline.title') }).count()).toBe(0);
  await expectNoSidewaysScroll(page);
  expect(faults).toEqual([]);
  await page.context().close();
});

/** From any sentence on: the voice is heard at its place, the film is not. Borders are moved in the waveform. */
async function listen(page: Page, { word, sentence, press }: StudioPage): Promise<void> {
  const time = () => page.evaluate<number>('document.querySelector("video").currentTime');
  await page.getByLabel(word('dubbing.studio.film', { title: 'My Dubbing Video' })).waitFor();
  await sentence(1)
    .getByRole('button', { name: word('dubbing.group.playDub') })
    .click();
  await expect.poll(time, long).toBeGreaterThan(4.2);
  expect(await page.evaluate('document.querySelector("video").muted')).toBe(true);
  await expect.poll(() => sentence(2).getAttribute('aria-current'), long).toBe('true');
  await sentence(2).focus();
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => sentence(1).getAttribute('aria-current'), long).toBe('true');

  // A click goes there; an edge that is dragged past where the voice ends snaps to it.
  const position = page.getByRole('slider', { name: word('dubbing.timeline.position') });
  const end = page.getByRole('slider', { name: word('dubbing.timeline.end', { id: 2 }) });
  await position.focus();
  const [timeline, edge] = [await position.boundingBox(), await end.boundingBox()];
  if (!timeline || !edge) throw new Error('no timeline');
  const endsAt = async () => Number(await end.getAttribute('aria-valuenow'));
  const perSecond = (edge.x + 7 - timeline.x) / (await endsAt());
  await page.mouse.click(timeline.x + perSecond * 9, timeline.y + 10);
  await expect.poll(time, long).toBeCloseTo(9, 0);
  const drag = async (seconds: number) => {
    const box = await end.boundingBox();
    if (!box) throw new Error('no edge');
    const [x, y] = [box.x + 5, box.y + 30];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + (seconds - (await endsAt())) * perSecond, y);
    await page.mouse.up();
  };
  const before = await endsAt();
  await drag(7.5);
  await expect.poll(() => page.getByRole('button', { name: word('dubbing.studio.undo') }).isEnabled(), long).toBe(true);
  await expect.poll(endsAt, long).toBeCloseTo(7.5, 1);
  await drag(6.15);
  await expect.poll(async () => Math.abs((await endsAt()) - 6) < 0.03, long).toBe(true);
  await press('dubbing.studio.undo');
  await expect.poll(endsAt, long).toBeCloseTo(7.5, 1);
  await press('dubbing.studio.undo');
  await expect.poll(endsAt, long).toBe(before);
}

/** Original audio kept as background is quiet under a voice, as in the export. */
async function listenOver(page: Page, { word, sentence }: StudioPage): Promise<void> {
  await page.getByRole('tab', { name: word('dubbing.setting.basic'), exact: true }).click();
  const background = page.getByRole('combobox', { name: word('dubbing.setting.background'), exact: true });
  await background.selectOption('ducked');
  const kept = page.waitForResponse((response) => response.url().includes('/dubbing/update'));
  await page.getByRole('button', { name: word('helper.update'), exact: true }).click();
  await kept;
  const play = sentence(1).getByRole('button', { name: word('dubbing.group.playDub') });
  // The voice may be over before a busy machine looks.
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    video.addEventListener('volumechange', () => (window.quietest = Math.min(window.quietest ?? 1, video.volume)));
  })()`);
  await play.click();
  await expect.poll(() => page.evaluate<number>('window.quietest ?? 1'), long).toBeCloseTo(dubbingDucking.gain, 2);
  await page.evaluate('document.querySelector("video").pause()');
}

it('dubbing shows the changes of another window and never overwrites them', async () => {
  const first = await scenario.openTab('dubbing', 'en');
  await first.page.getByRole('main').getByRole('listitem').getByRole('link').first().click(long);
  const one = studioOf(first.page, 'en');
  await one.translation(1).waitFor(long);
  const second = await scenario.openTab('dubbing', 'zh');
  await second.page.goto(first.page.url().replace('/en/', '/zh/'));
  const two = studioOf(second.page, 'zh');
  await two.translation(1).waitFor(long);
  // Two editors type; the second is faster.
  await one.translation(1).fill('Mine');
  await two.translation(1).fill('Theirs');
  await two.translation(1).press('Enter');
  await two.fits(1);
  await one.translation(1).press('Enter');
  await first.page.getByText(one.word('dubbing.studio.changed')).waitFor(long);
  await first.page.getByText(one.word('dubbing.studio.mine', { text: 'Mine' })).waitFor(long);
  expect(await one.translation(1).inputValue()).toBe('Theirs');
  await one.press('dubbing.studio.useMine');
  await expect.poll(() => two.translation(1).inputValue(), long).toBe('Mine');
  await Promise.all([first.page.context().close(), second.page.context().close()]);
});
