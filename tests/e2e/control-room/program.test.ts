import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { madeOnce } from '../../made-once.fixture.ts';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { FlvViewer } from '../../media/fixtures/live.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

const scenario = scenarioOfFile();

function publish(url: string): Publisher {
  const publisher = new Publisher(url);
  onTestFinished(() => publisher.stop('SIGKILL'));
  return publisher;
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, name: string) => region(page, 'Program inputs').getByRole('listitem', { name, exact: true });
const onAir = (page: Page, name: string) => card(page, name).getByText('On air', { exact: true }).waitFor();

/** Address with the key that an owner pastes into an encoder. The server of this test has another port than the one that is named. */
async function urlOf(sheet: Locator, name: string): Promise<string> {
  await sheet.getByRole('region', { name }).getByRole('button', { name: 'Show' }).click();
  return scenario.live.rtmp(await sheet.getByRole('textbox', { name: `${name}: Stream key` }).inputValue());
}

it('a program is set up before its stream was live, survives its main encoder, and is switched and tested by hand', async () => {
  const { page, faults } = await scenario.openTab('program', 'en');
  await page.getByText('Off: streams end when their publisher drops.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up program' }).click();
  const form = page.getByRole('dialog', { name: 'Set up program' });
  await form.getByRole('combobox', { name: 'Stream', exact: true }).fill('live/show');
  await form.getByRole('textbox', { name: 'Text', exact: true }).fill('Back at eight');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save program' }).click();
  const sheet = page.getByRole('dialog', { name: 'Encoders of live/show' });
  const [main, backup] = [await urlOf(sheet, 'Main encoder'), await urlOf(sheet, 'Backup encoder')];
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'live/show' }).first().click();
  await expectReordered(page);
  const first = publish(main);
  publish(backup);
  await onAir(page, 'Main encoder');
  await card(page, 'Backup encoder').getByText('Healthy', { exact: true }).waitFor();
  const pictures = region(page, 'Program inputs').locator('img');
  const width = (image: Locator) =>
    image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
  await until(
    async () => (await pictures.count()) === 3 && (await width(pictures.nth(1))) > 0,
    'three previews',
    60_000,
  );
  await expectAccessible(page);

  await first.stop('SIGKILL');
  await onAir(page, 'Backup encoder');
  await region(page, 'Program inputs')
    .getByText(/^Backup encoder since .*: connection closed\.$/)
    .waitFor();
  await card(page, 'Main encoder').getByText('Lost', { exact: true }).waitFor();
  const overview = await scenario.openTab('overview', 'en');
  await overview.page.getByRole('listitem').getByText('On backup', { exact: true }).waitFor();
  await overview.page.getByText('live/show is on its backup').first().waitFor();
  await overview.page.context().close();
  await expectAccessible(page);

  publish(main);
  await onAir(page, 'Main encoder');
  await page.getByRole('button', { name: 'Switch to Backup encoder' }).click();
  await onAir(page, 'Backup encoder');
  const automatic = page.getByRole('switch', { name: 'Return automatically' });
  await until(async () => !(await automatic.isChecked()), 'the backup is held');
  await page.getByRole('button', { name: 'Switch to Main encoder' }).click();
  await onAir(page, 'Main encoder');

  const viewer = await FlvViewer.open(scenario.live.http('show', '.flv'));
  await page.getByRole('button', { name: 'Pull the plug…' }).click();
  const rehearsal = page.getByRole('dialog', { name: 'Pull the plug' });
  await rehearsal.getByRole('button', { name: 'Cut off now' }).click();
  await rehearsal.getByText('The program stayed on air').waitFor();
  await rehearsal.getByText(/Main encoder → Backup encoder/).waitFor();
  await rehearsal.getByRole('row', { name: /^HTTP-FLV \d/ }).waitFor();
  expect(viewer.hasEnded).toBe(false);
  await expectAccessible(page);
  await rehearsal.getByRole('button', { name: 'Close' }).last().click();
  viewer.close();
  await expectUploadedSlate(page);
  expect(faults).toEqual([]);
  await page.context().close();
  await expectChinesePhone();
});

interface Paint {
  drawImage(image: unknown, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Iterable<number> };
}

/** Red, green and blue of the first pixel of an image. Runs in the page. */
function cornerOf(image: unknown): number[] {
  const { OffscreenCanvas } = globalThis as unknown as {
    OffscreenCanvas: new (width: number, height: number) => { getContext(kind: '2d'): Paint };
  };
  const paint = new OffscreenCanvas(1, 1).getContext('2d');
  paint.drawImage(image, 0, 0);
  return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** An image, then a short film, uploaded in the form of the program and seen in the preview of its slate. */
async function expectUploadedSlate(page: Page): Promise<void> {
  const plain = (color: string) => ['-f', 'lavfi', '-i', `color=${color}:size=320x180:rate=25`];
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-t', '2'];
  const uploads = [
    { file: madeOnce([...plain('red'), '-frames:v', '1'], 'png'), strongest: 0 },
    { file: madeOnce([...plain('blue'), ...h264], 'mp4'), strongest: 2 },
  ];
  for (const { file, strongest } of uploads) {
    await page.getByRole('button', { name: 'More actions for the program' }).click();
    await page.getByRole('menuitem', { name: 'Edit program' }).click();
    const form = page.getByRole('dialog', { name: 'Program of live/show' });
    await form.getByRole('button', { name: 'Upload file: Image or film' }).click();
    await form.getByLabel('Choose file').first().setInputFiles(file);
    await form.getByRole('button', { name: 'Upload', exact: true }).click();
    const chosen = form.getByRole('combobox', { name: 'Image or film' });
    await until(async () => (await chosen.locator('option:checked').textContent()) === basename(file), 'it is chosen');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save program' }).click();
    await form.waitFor({ state: 'detached' });
    const corner = () => card(page, 'Slate').locator('img').evaluate(cornerOf);
    await until(
      async () => (await corner()).every((part, at) => part > 128 === (at === strongest)),
      'the slate shows it',
    );
  }
}

/** The same program on a phone, dark, in Chinese. */
async function expectChinesePhone(): Promise<void> {
  const text = textsIn('zh');
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, faults } = await scenario.openTab('live&stream=live/show', 'zh', options);
  await region(page, text('program.inputs')).getByText(text('program.onAir'), { exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
}

/** By dragging, and back by the keyboard. */
async function expectReordered(page: Page): Promise<void> {
  const first = region(page, 'Program inputs').getByRole('listitem').first();
  const isFirst = async (name: string) => (await first.getAttribute('aria-label')) === name;
  const handle = page.getByRole('button', { name: 'Move Backup encoder' });
  await handle.scrollIntoViewIfNeeded();
  const [from, to] = [await handle.boundingBox(), await card(page, 'Main encoder').boundingBox()];
  if (!from || !to) throw new Error('the cards are not drawn');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await page.mouse.up();
  await until(() => isFirst('Backup encoder'), 'the backup is first');
  await handle.press('ArrowRight');
  await until(() => isFirst('Main encoder'), 'the main encoder is first');
}
