import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openDesk, openPage, violationsInBothSchemes } from './fixtures/browser.fixture.ts';
import { walkTo } from './fixtures/console-walk.fixture.ts';
import { FilledServer } from './fixtures/filled-server.fixture.ts';

let server: FilledServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([FilledServer.start(), launchBrowser()]);
});
afterAll(() => Promise.all([server?.close(), browser?.close()]));

/** Pages that look the same whatever the server has. */
const unchanging =
  'tutorials others deprecated system-https system-hls system-beian system-limits system-api system-platform server contact'.split(
    ' ',
  );

async function openConsole(): Promise<Page> {
  const { origin } = server.live.weir;
  const { data: session } = await server.live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  return (await openPage(await openDesk(browser, { origin, session }))).page;
}

it('the pages of somebody who is not signed in have no accessibility violation', async () => {
  const { page } = await openPage(browser);
  for (const path of ['en/routers-login', 'en/routers-login?adminSystemBadass', 'en/routers-scenario']) {
    await page.goto(`${server.live.weir.origin}/mgmt/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
  }
  await page.context().close();
});

it.each(['empty', 'one'] as const)(
  'no page has an accessibility violation on a server with this content: %s',
  async (filling) => {
    await server.fill(filling);
    const page = await openConsole();
    const found: Record<string, string[]> = {};
    for (const [name, path] of await server.pages()) {
      if (filling === 'empty' && unchanging.includes(name)) continue;
      await walkTo(page, `${server.live.weir.origin}/mgmt/en/${path}`);
      const violations = await violationsInBothSchemes(page);
      if (violations.length > 0) found[name] = violations;
    }
    expect(found).toEqual({});
    await page.context().close();
  },
);
