import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../weir.fixture.ts';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name of another machine that leads here: what a person elsewhere would see.
  '--host-resolver-rules=MAP weir.test 127.0.0.1',
];

/** A camera and a microphone that need no permission, and WebRTC between two pages without names to look up. */
export const fakeDevices = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];

export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: [...flags, ...more] });
}

/** What one test file does in a browser: everybody who is signed in has this in the store of their browser. */
interface SignIn {
  readonly origin: string;
  readonly session: object;
}

const wide: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/**
 * Somebody's browser with a sign-in in it. Pages opened in it one after the other share its cache, as they do for a person:
 * half the time of a page in a new one.
 */
export function openDesk(
  browser: Browser,
  { origin, session }: SignIn,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const localStorage = [{ name: 'SRS_TERRAFORM_TOKEN', value: JSON.stringify(session) }];
  return browser.newContext({
    ...wide,
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
    ...options,
  });
}

/** A page that remembers what went wrong on it and whom it asked. */
export interface Watched {
  readonly page: Page;
  readonly faults: string[];
  readonly hosts: Set<string>;
}

/** In a desk, or in a browser of its own that nobody has used. */
export async function openPage(where: Browser | BrowserContext, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = 'newContext' in where ? await where.newContext({ ...wide, ...options }) : where;
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // A refused call is a fact the page deals with; the browser notes it all the same.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return { page, faults, hosts };
}

/** By asking again and again: a page with our content security policy evaluates no text by itself. */
export function videoIs(page: Page, condition: string): Promise<void> {
  const text = `(() => { const video = document.querySelector('video'); return video !== null && ${condition}; })()`;
  return until(() => page.evaluate<boolean>(text), condition, 30_000);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Only what is wrong is looked at closely, which takes a quarter of the time.
const axeOptions: RunOptions = { resultTypes: ['violations'] };

/** No violation that would keep somebody from using the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(`${axe};0`);
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(axeOptions)}).then(({ violations }) => violations)`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
