import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openDesk, openPage, violationsInBothSchemes } from './fixtures/browser.fixture.ts';
import { walkTo } from './fixtures/console-walk.fixture.ts';
import { FilledServer, fillings } from './fixtures/filled-server.fixture.ts';
import { faultsOnPhone } from './fixtures/phone.fixture.ts';

/**
 * Judged here: each page with each content, wide and in English: all rules of axe in the light scheme, colours in the dark one, and the width
 * and the controls of a phone. Of a page that was judged, only parts that show something new are judged again. The frame is judged with the
 * first page of each screen. Dialogs and other states are judged by the stories that open them, and pages in Chinese by `console.test.ts`.
 */
let server: FilledServer;
let browser: Browser;
/** Open throughout and walked through as its links do, so that only the first page is loaded as a whole. */
let page: Page;
beforeAll(async () => {
  [server, browser] = await Promise.all([FilledServer.start(), launchBrowser()]);
  const { origin } = server.live.weir;
  const { data: session } = await server.live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  ({ page } = await openPage(await openDesk(browser, { origin, session })));
});
afterAll(() => Promise.all([server?.close(), browser?.close()]));

it('the pages of somebody who is not signed in are accessible, fit a phone and take touches on 40 px', async () => {
  const { page } = await openPage(browser);
  for (const path of ['en/routers-login', 'en/routers-login?adminSystemBadass', 'en/routers-scenario']) {
    await page.goto(`${server.live.weir.origin}/mgmt/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([...(await violationsInBothSchemes(page)), ...(await faultsOnPhone(page))]).toEqual([]);
  }
  await page.context().close();
});

/**
 * Kinds of visible elements, each with its parent: tag, class and attributes, without what differs from one to the next. The sidebar is part of
 * the frame. Gives the places of each kind in `looked`, which stays in the page.
 */
const kindsOf = `(() => {
  // States and tones are words; ids and addresses are not. Styles name colours.
  const valueOf = (name, value) =>
    name === 'class' ? value : name === 'style' ? value.match(/color-[\\w-]+/g)?.join() : value.match(/^[a-z-]+$/)?.[0];
  const describe = ({ tagName, attributes }) =>
    [tagName, ...[...attributes].map(({ name, value }) => [name, valueOf(name, value)])
      .filter(([name, value]) => name !== 'style' || value).map(([name, value]) => name + '=' + value).sort()].join(' ');
  const sidebar = '[role="tablist"][aria-orientation="vertical"]';
  window.looked = [...document.querySelectorAll('main *:not(svg *)')]
    .filter((element) => element.checkVisibility() && !element.closest(sidebar));
  const places = new Map();
  for (const [place, element] of looked.entries()) {
    const kind = describe(element.parentElement) + ' > ' + describe(element);
    places.set(kind, [...(places.get(kind) ?? []), place]);
  }
  return [...places];
})()`;
/** Marks the parts of the page that these elements belong to, and no other. */
const markParts = (places: readonly number[]) => `(() => {
  for (const part of document.querySelectorAll('[data-news]')) part.removeAttribute('data-news');
  const parts = 'section, article, form, fieldset, table, ul, ol, dl, [role="region"], [role="group"]';
  for (const place of ${JSON.stringify(places)}) (looked[place].closest(parts) ?? looked[place]).setAttribute('data-news', '');
})()`;
/** Pages that show what is broken; the others look as they did before. */
const troubled = new Set(
  'overview live forward transcode transcript ocr stream-page project system-llm system-callback system-notifications server'.split(
    ' ',
  ),
);
const seenKinds = new Set<string>();
const seenPages = new Set<string>();

/** Says whether all of a page is new, or parts of it, which are marked then: more rows of a list are judged by the first ones. */
async function lookForNews(name: string): Promise<'all' | 'parts' | 'none'> {
  const kinds = await page.evaluate<[string, number[]][]>(kindsOf);
  const news = kinds.filter(([kind]) => !seenKinds.has(kind));
  const isNew = !seenPages.has(name);
  seenPages.add(name);
  for (const [kind] of news) seenKinds.add(kind);
  await page.evaluate(markParts(isNew ? [] : news.flatMap(([, places]) => places)));
  return isNew ? 'all' : news.length > 0 ? 'parts' : 'none';
}

it.each(fillings)(
  'pages are accessible, fit a phone and take touches on 40 px with this content: %s',
  async (filling) => {
    await server.fill(filling);
    const found: Record<string, string[]> = {};
    // The frame is the same on all pages of a screen and is judged with the first one.
    const screens = new Set<string>();
    for (const [name, path] of await server.pages()) {
      if (filling === 'error' && !troubled.has(name)) continue;
      await walkTo(page, `${server.live.weir.origin}/mgmt/en/${path}`);
      const [screen = ''] = path.split('?');
      const hasFrame = !screens.has(screen);
      const news = await lookForNews(name);
      if (news === 'none' && !hasFrame) continue;
      screens.add(screen);
      const scope = news === 'parts' && !hasFrame ? { hasFrame, within: '[data-news]' } : { hasFrame };
      const faults = [...(await violationsInBothSchemes(page, scope)), ...(await faultsOnPhone(page))];
      if (faults.length > 0) found[name] = faults;
    }
    expect(found).toEqual({});
  },
  // Forty pages, most of them looked at three times.
  600_000,
);
