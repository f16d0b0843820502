import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchViewers } from '../../tests/media/fixtures/viewer/viewer.fixture.ts';

/** A page of some browser in which scripts can be run. */
export interface BrowserPage {
  run<T>(script: string): Promise<T>;
  close(): Promise<void>;
}

export interface AnyBrowser {
  readonly name: string;
  version(): Promise<string>;
  open(url: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

export async function openChromium(): Promise<AnyBrowser> {
  const browser: Browser = await launchViewers();
  return {
    name: 'Chromium',
    version: async () => browser.version(),
    async open(url) {
      const page = await browser.newPage();
      await page.goto(url);
      return { run: <T>(script: string) => page.evaluate<T>(script), close: () => page.close() };
    },
    close: () => browser.close(),
  };
}

/** Allows audio, cameras and loopback without prompts, and turns background traffic off. */
const firefoxPrefs = {
  'media.autoplay.default': 0,
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  // Answers of the API are plain pages then; scripts of Firefox's viewer for JSON may not play anything.
  'devtools.jsonview.enabled': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

interface BidiAnswer {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly result?: any;
}

/** Debian's Firefox, driven by WebDriver BiDi: Playwright drives a Firefox of its own only. */
export async function openFirefox(): Promise<AnyBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'weir-firefox-'));
  const prefs = Object.entries(firefoxPrefs).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), prefs.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const child = spawn('firefox-esr', args, {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = await connectBidi(child);
  const waiting = new Map<number, (answer: BidiAnswer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const call = async (method: string, params: object) => {
    const { promise, resolve } = Promise.withResolvers<BidiAnswer>();
    waiting.set(++last, resolve);
    socket.send(JSON.stringify({ id: last, method, params }));
    const answer = await promise;
    if (answer.type === 'error') throw new Error(answer.message);
    return answer.result;
  };
  const { capabilities } = await call('session.new', { capabilities: {} });
  return {
    name: 'Firefox',
    version: async () => capabilities.browserVersion,
    async open(url) {
      const { context } = await call('browsingContext.create', { type: 'tab' });
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
      return {
        async run<T>(script: string): Promise<T> {
          // Sent as text, because BiDi wraps every value by its type.
          const expression = `Promise.resolve((0, eval)(${JSON.stringify(script)})).then((value) => JSON.stringify(value) ?? 'null')`;
          const target = { context };
          const answer = await call('script.evaluate', { expression, target, awaitPromise: true });
          if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
          return JSON.parse(answer.result.value ?? 'null') as T;
        },
        close: () => call('browsingContext.close', { context }),
      };
    },
    async close() {
      child.kill('SIGKILL');
      await sleep(500);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function connectBidi(child: ChildProcess): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
    const url = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
    if (url) resolve(url);
  });
  child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  const socket = new WebSocket(`${await promise}/session`);
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  return socket;
}
