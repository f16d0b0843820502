import type { FeatureTab, Parts, ScreenDefinition, ScreenId } from '../lib/feature.ts';
import { lazyScreen } from '../lib/lazy.ts';
import { features } from './features.ts';

/** Pages with a route, in the order of the navigation. The first two hold the tabs of the features. */
export const screens: readonly ScreenDefinition[] = [
  {
    id: 'scenario',
    title: 'nav.scenario',
    isKept: true,
    hasSidebar: true,
    page: lazyScreen(async () => (await import('./scenario-page.tsx')).ScenarioPage),
  },
  {
    id: 'settings',
    title: 'nav.system',
    isKept: true,
    hasSidebar: true,
    page: lazyScreen(async () => (await import('./settings-page.tsx')).SettingsPage),
  },
  ...features.flatMap((feature) => feature.screens ?? []),
];

export function findScreen(id: ScreenId): ScreenDefinition {
  const found = screens.find((screen) => screen.id === id);
  if (!found) throw new Error(`no feature has the screen ${id}`);
  return found;
}

export const scenarioTabs = listTabs('scenario');
export const settingsTabs = listTabs('settings');

function listTabs(page: FeatureTab['page']): readonly [FeatureTab, ...FeatureTab[]] {
  const [first, ...rest] = features.flatMap((feature) => feature.tabs ?? []).filter((tab) => tab.page === page);
  if (!first) throw new Error(`no feature has a tab on the screen ${page}`);
  return [first, ...rest];
}

/** Loads the code of a tab together with what other features add to it. Returns false on failure. */
export async function preloadTab({ panel, slots = [] }: FeatureTab): Promise<boolean> {
  const offered = (slot: keyof Parts) => features.flatMap(({ parts }) => parts?.[slot] ?? []);
  const loaded = await Promise.all([panel, ...slots.flatMap(offered)].map(({ preload }) => preload()));
  return loaded.every(Boolean);
}

/** Gives the opened page time to load its own code and data before a hundred other files compete with it. */
const preloadAfterMs = 2500;

/** Data saver mode, in browsers that expose it. */
const isSavingData = () => 'connection' in navigator && Object(navigator.connection).saveData === true;

/** Preloads the screens a signed-in user can open, so that they open even while the server restarts. Returns a cancel function. */
export function preloadScreens(): () => void {
  if (isSavingData()) return () => undefined;
  const timer = setTimeout(async () => {
    const sections = features.flatMap((feature) => feature.sections ?? []);
    const loads = [
      ...screens.map(({ page }) => page.preload),
      ...[...scenarioTabs, ...settingsTabs].map((tab) => () => preloadTab(tab)),
      ...sections.map(({ panel }) => panel.preload),
    ];
    // Sequential, so that a click never waits for all of them.
    for (const load of loads) {
      // An unreachable server would fail every other import too.
      if (!(await load())) return;
    }
  }, preloadAfterMs);
  return () => clearTimeout(timer);
}
