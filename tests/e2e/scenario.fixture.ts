import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { Live } from '../media/live.fixture.ts';
import { launchBrowser, openDesk, openPage, type Watched } from './browser.fixture.ts';

/** A server, a browser, and an administrator who is signed in: what the stories of the scenario tabs begin with. */
export class Scenario {
  readonly live: Live;
  readonly browser: Browser;
  readonly #session: object;

  private constructor(live: Live, browser: Browser, session: object) {
    this.live = live;
    this.browser = browser;
    this.#session = session;
  }

  static async start(): Promise<Scenario> {
    const [browser, live] = await Promise.all([launchBrowser(), Live.start()]);
    const { data } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
    return new Scenario(live, browser, data);
  }

  /** In a browser profile of its own. */
  async openTab(tab: string, locale: string, options: BrowserContextOptions = {}): Promise<Watched> {
    const { origin } = this.live.weir;
    const watched = await openPage(await openDesk(this.browser, { origin, session: this.#session }, options));
    await watched.page.goto(`${origin}/mgmt/${locale}/routers-scenario?tab=${tab}`);
    return watched;
  }

  async close(): Promise<void> {
    await Promise.all([this.browser.close(), this.live.close()]);
  }
}

/** For all stories of a file: begun before the first, closed after the last. */
export function scenarioOfFile(): Pick<Scenario, 'live' | 'openTab'> {
  let scenario: Scenario | undefined;
  const begun = () => {
    if (!scenario) throw new Error('no story has begun');
    return scenario;
  };
  beforeAll(async () => {
    scenario = await Scenario.start();
  });
  afterAll(() => scenario?.close());
  return {
    get live() {
      return begun().live;
    },
    openTab: (...tab) => begun().openTab(...tab),
  };
}
