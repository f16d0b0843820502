import { lazyScreen } from '../lib/lazy.ts';
import type { Screen } from './routing.ts';
import { scenarioTabs, settingsTabs } from './tabs/tabs.ts';

/** Code of each screen, fetched when it is first shown. */
export const screens = {
  setup: lazyScreen(async () => (await import('../features/auth/setup-page.tsx')).SetupPage),
  login: lazyScreen(async () => (await import('../features/auth/login-page.tsx')).LoginPage),
  logout: lazyScreen(async () => (await import('../features/auth/logout-page.tsx')).LogoutPage),
  scenario: lazyScreen(async () => (await import('./scenario-page.tsx')).ScenarioPage),
  settings: lazyScreen(async () => (await import('./settings-page.tsx')).SettingsPage),
  components: lazyScreen(
    async () => (await import('../features/system/components/components-page.tsx')).ComponentsPage,
  ),
  contact: lazyScreen(async () => (await import('../features/contact/contact-page.tsx')).ContactPage),
  talk: lazyScreen(async () => (await import('../features/talk/talk-page.tsx')).TalkEntryPage),
} satisfies Record<Screen, unknown>;

/** By then the page that somebody opened has its own code and data, which a hundred other files would hold up. */
const preloadAfterMs = 2500;

/** Whether the browser was told to load no more than is looked at. Not every browser tells. */
const isSavingData = () => 'connection' in navigator && Object(navigator.connection).saveData === true;

/** Fetches what a signed-in person can go to, so that it opens even while the server restarts. Returns how to leave it. */
export function preloadScreens(): () => void {
  if (isSavingData()) return () => undefined;
  const timer = setTimeout(async () => {
    const panels = [...scenarioTabs, ...settingsTabs].map(({ panel }) => panel);
    // One after the other, so that no click has to wait for all of them.
    for (const screen of [...Object.values(screens), ...panels]) {
      // The server is away: each of the others would fail in turn.
      if (!(await screen.preload())) return;
    }
  }, preloadAfterMs);
  return () => clearTimeout(timer);
}
