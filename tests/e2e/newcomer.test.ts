import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RtspCamera } from '../media/fixtures/rtsp-camera.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';
import { launchBrowser, openPage, videoIs } from './fixtures/browser.fixture.ts';

const password = 'p@/ss?!#';
let browser: Browser;
let camera: RtspCamera;
beforeAll(async () => {
  [browser, camera] = await Promise.all([launchBrowser(), RtspCamera.start('viewer', password)]);
});
afterAll(() => Promise.all([browser.close(), camera.close()]));

/** Counts what the pointer does, across reloads of the tab. */
const countClicks = `addEventListener('click', ({ isTrusted, detail }) => {
  if (isTrusted && detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
}, true);`;
const clicksOf = (page: Page) => page.evaluate<number>("Number(sessionStorage.getItem('clicks'))");

/** Input device of a person: pointer or keyboard. */
interface Hands {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
}

async function replaceText(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Fields are clicked too, before they are typed into. */
const byPointer = (page: Page): Hands => ({
  press: (target) => target.click(),
  async type(target, text) {
    await target.click();
    await replaceText(page, text);
  },
});

/** Focus seen from an element: at the element, elsewhere in its tab list or radio group, or outside. */
interface FocusedElement {
  readonly ownerDocument: { readonly activeElement: unknown };
  closest(selector: string): { contains(element: unknown): boolean } | null;
  matches(selector: string): boolean;
}

/** A page or dialog that takes the focus once it is there has taken it then. */
const settleMs = 50;

/** Tab goes from one control to the next, arrows move within a group, Enter and Space press. */
function byKeyboard(page: Page): Hands {
  const distance = (target: Locator) =>
    target.evaluate((element) => {
      const control = element as unknown as FocusedElement;
      const { activeElement } = control.ownerDocument;
      if (activeElement === element) return control.matches(':focus-visible') ? 'here' : 'unseen';
      const group = control.closest('[role="tablist"], [role="radiogroup"]');
      return group?.contains(activeElement) ? 'group' : 'outside';
    });
  const reach = async (target: Locator) => {
    await target.waitFor();
    for (let looks = 0; looks < 150; looks += 1) {
      const at = await distance(target);
      if (at !== 'here') await page.keyboard.press(at === 'group' ? 'ArrowDown' : 'Tab');
      else {
        await page.waitForTimeout(settleMs);
        if ((await distance(target)) === 'here') return;
      }
    }
    throw new Error(`the keyboard does not reach ${target}`);
  };
  return {
    async press(target) {
      await reach(target);
      const isRadio = (await target.getAttribute('role')) === 'radio';
      await page.keyboard.press(isRadio ? 'Space' : 'Enter');
    },
    async type(target, text) {
      await reach(target);
      await replaceText(page, text);
    },
  };
}

/** A dialog takes the focus when it opens; somebody who sees where it is begins then. */
const holdsFocus = (dialog: Locator) =>
  until(
    () =>
      dialog.evaluate((element) => {
        const box = element as unknown as FocusedElement & { contains(other: unknown): boolean };
        return box.contains(box.ownerDocument.activeElement);
      }),
    'the dialog has the focus',
  );

/** From a server that nobody has seen to a link that a stranger watches. Returns the clicks of each task. */
async function firstEvening(weir: Weir, handsOn: (page: Page) => Hands): Promise<Record<string, number>> {
  const { page, faults } = await openPage(browser);
  await page.addInitScript(countClicks);
  const { press, type } = handsOn(page);
  const counts: number[] = [];
  const done = async () => counts.push(await clicksOf(page));
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  const openStream = async () => {
    await press(tab('Overview'));
    await press(page.getByRole('main').getByRole('link', { name: 'live/front-door' }).first());
    await page.getByRole('heading', { level: 1, name: 'live/front-door' }).waitFor();
  };

  await page.goto(`${weir.origin}/?code=${weir.setupCode}`);
  await press(page.getByRole('button', { name: 'Set up' }));
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  const stored = await page.evaluate<string>("localStorage.getItem('SRS_TERRAFORM_TOKEN')");
  const headers = { authorization: `Bearer ${JSON.parse(stored).bearer}` };
  const call = async (path: string) => (await weir.post(`/terraform/v1/${path}`, {}, headers)).data;
  await done();

  await press(tab('IP camera'));
  await press(page.getByRole('button', { name: 'Add camera' }).first());
  const sheet = page.getByRole('dialog', { name: 'Add camera' });
  await holdsFocus(sheet);
  await type(sheet.getByLabel('Stream URL'), camera.url('/picture', `viewer:${password}`));
  await press(sheet.getByRole('button', { name: 'Test camera' }));
  await sheet.getByText('Camera found').waitFor();
  await type(sheet.getByLabel('Name', { exact: true }), 'Front door');
  await press(sheet.getByRole('button', { name: 'Start', exact: true }));
  await row('Front door').getByText('Live', { exact: true }).waitFor();
  await done();

  await openStream();
  await press(page.getByRole('button', { name: 'Record Off' }));
  await page.getByRole('button', { name: /^Recording \d+:\d\d$/ }).waitFor();
  expect(await call('hooks/record/files')).toMatchObject([{ stream: 'front-door', state: 'recording' }]);
  await done();

  await press(page.getByRole('link', { name: /^Add destination/ }));
  await press(page.getByRole('button', { name: 'Add destination' }).first());
  const target = page.getByRole('dialog', { name: 'Add destination' });
  await holdsFocus(target);
  await press(target.getByRole('radio', { name: 'Another server' }));
  await type(target.getByLabel('Server address'), `rtmp://127.0.0.1:${weir.rtmpPort}/live`);
  const { publish } = await call('hooks/srs/secret/query');
  await type(target.getByLabel('Stream key', { exact: true }), `copy?secret=${publish}`);
  await press(target.getByRole('button', { name: 'Start', exact: true }));
  await row('live/copy').getByText('Live', { exact: true }).waitFor();
  const isCopied = async () => (await fetch(`${weir.origin}/live/copy.flv`, { method: 'HEAD' })).status === 200;
  await until(isCopied, 'the copy plays');
  // A rate arrives by itself, once the burst of the start is over.
  await row('live/copy')
    .getByText(/^[\d.,]+\s[Mk]bit\/s$/)
    .waitFor();
  await done();

  await openStream();
  const opened = page.context().waitForEvent('page');
  await press(page.getByRole('link', { name: 'Watch page' }));
  const shared = (await opened).url();
  await done();
  const { page: stranger } = await openPage(browser);
  await stranger.goto(shared);
  await videoIs(stranger, 'video.currentTime > 1 && video.videoWidth === 640');

  // The sidebar and the browser's tab say what runs.
  for (const name of ['Forward', 'Record', 'IP camera'])
    await expect.poll(() => tab(name).getAttribute('title')).toBe('Running');
  await expect.poll(() => page.title()).toMatch(/^live\/front-door · Live · /);
  expect(faults).toEqual([]);
  await Promise.all([stranger.context().close(), page.context().close()]);
  const names = ['set up', 'camera', 'recording', 'forward', 'share'];
  return Object.fromEntries(names.map((name, at) => [name, (counts[at] ?? 0) - (counts[at - 1] ?? 0)]));
}

/** The whole evening on a server of its own. */
async function newcomer(handsOn: (page: Page) => Hands): Promise<number[]> {
  const weir = await Weir.start();
  try {
    const clicks = await firstEvening(weir, handsOn);
    return Object.values(clicks);
  } finally {
    await weir.close();
  }
}

it('a newcomer sets up, adds a camera, records, forwards and shares it with at most 25 clicks', async () => {
  const clicks = await newcomer(byPointer);
  expect(clicks.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(25);
  // A counter that counts nothing would hold any limit.
  expect(Math.min(...clicks)).toBeGreaterThan(0);
});

it('a newcomer does all of this with the keyboard alone', async () => {
  expect(await newcomer(byKeyboard)).toEqual([0, 0, 0, 0, 0]);
});
