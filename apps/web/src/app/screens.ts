import { lazyScreen } from '../lib/lazy.ts';
import type { Screen } from './routing.ts';
import { scenarioTabs, settingsTabs } from './tabs/tabs.ts';

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

/** Gives the opened page time to load its own code and data before a hundred other files compete with it. */
const preloadAfterMs = 2500;

/** Data saver mode, in browsers that expose it. */
const isSavingData = () => 'connection' in navigator && Object(navigator.connection).saveData === true;

/** Preloads the screens a signed-in user can open, so that they open even while the server restarts. Returns a cancel function. */
export function preloadScreens(): () => void {
  if (isSavingData()) return () => undefined;
  const timer = setTimeout(async () => {
    const panels = [...scenarioTabs, ...settingsTabs].map(({ panel }) => panel);
    // Sequential, so that a click never waits for all of them.
    for (const screen of [...Object.values(screens), ...panels]) {
      // An unreachable server would fail every other import too.
      if (!(await screen.preload())) return;
    }
  }, preloadAfterMs);
  return () => clearTimeout(timer);
}
