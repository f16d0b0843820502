import { useMantineColorScheme } from '@mantine/core';
import type { Locale } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Feature, PaletteEntry, UsePaletteEntries } from '../../lib/feature.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useOpenPath } from '../../lib/paths.ts';
import { features } from '../features.ts';
import { withLocale } from '../routing.ts';
import { screens } from '../screens.ts';
import { languageNames } from '../shell/language-button.tsx';

/** Entries of one feature. */
export interface PaletteSource {
  readonly useEntries: UsePaletteEntries;
  readonly icon: PaletteEntry['icon'];
}

export function loadPaletteSources(): Promise<PaletteSource[]> {
  const loads = features.flatMap((feature) => {
    const load = feature.palette?.load;
    return load ? [load().then((useEntries) => ({ useEntries, icon: feature.tabs?.[0]?.icon }))] : [];
  });
  return Promise.all(loads);
}

/** Lists what every feature offers, and the console's own actions. */
export function usePaletteEntries(sources: readonly PaletteSource[]): PaletteEntry[] {
  // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes, so the order of the hooks is fixed
  const offered = sources.flatMap(({ useEntries, icon }) => useEntries().map((entry) => ({ icon, ...entry })));
  return [...usePages(), ...offered, ...useActions()];
}

/** Tabs, screens and links of features. */
function usePages(): PaletteEntry[] {
  const { t } = useTranslation();
  const open = useOpenPath();
  const screenTitles = { scenario: t('nav.scenario'), settings: t('nav.system') };
  const page = (path: string, entry: Pick<PaletteEntry, 'title' | 'kind' | 'words' | 'icon'>): PaletteEntry => ({
    ...entry,
    id: `page ${path}`,
    group: 'page',
    run: () => open(path),
  });
  const listTabs = ({ tabs = [] }: Feature) =>
    tabs.map((tab) =>
      page(`${paths[tab.page]}?tab=${tab.id}`, {
        title: t(tab.title),
        kind: screenTitles[tab.page],
        words: [tab.id, tab.words].filter(Boolean).join(' '),
        icon: tab.icon,
      }),
    );
  const listLinks = ({ palette, tabs }: Feature) =>
    (palette?.links ?? []).map(({ to, title, words, isAction }) => ({
      ...page(to, {
        title: t(title),
        kind: t(isAction ? 'palette.action' : 'palette.page'),
        words,
        icon: tabs?.[0]?.icon,
      }),
      ...(isAction && { id: `action ${to}`, group: 'action' as const }),
    }));
  const listed = screens.flatMap(({ id, title, words }) =>
    id !== 'setup' && title && words ? [page(paths[id], { title: t(title), kind: t('palette.page'), words })] : [],
  );
  return [...features.flatMap(listTabs), ...listed, ...features.flatMap(listLinks)];
}

function useActions(): PaletteEntry[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const location = useLocation();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const other: Locale = locale === 'en' ? 'zh' : 'en';
  const action = { group: 'action', kind: t('palette.action') } as const;
  return [
    {
      ...action,
      id: 'action language',
      title: t('palette.language', { name: languageNames[other] }),
      words: 'language english 中文',
      run: () => void navigate(withLocale(location, other)),
    },
    {
      ...action,
      id: 'action light',
      title: t('palette.light'),
      words: 'theme light',
      run: () => setColorScheme('light'),
    },
    {
      ...action,
      id: 'action dark',
      title: t('palette.dark'),
      words: 'theme dark',
      run: () => setColorScheme('dark'),
    },
  ];
}
