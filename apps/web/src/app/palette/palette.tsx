import { Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import type { Locale } from '@weir/contract';
import { type ComponentType, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Feature, PaletteEntry, UsePaletteEntries } from '../../lib/feature.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useOpenPath } from '../../lib/paths.ts';
import { features } from '../features.ts';
import { withLocale } from '../routing.ts';
import { screens } from '../screens.ts';
import { languageNames } from '../shell/language-button.tsx';
import { findEntries } from './find-entries.ts';
import classes from './palette.module.css';

/** Loads the palette with the entries of all features. */
export async function loadPalette(): Promise<ComponentType<OpenedPalette>> {
  const sources = await loadPaletteSources();
  return (opened) => <Palette {...opened} sources={sources} />;
}

interface OpenedPalette {
  /** Text that was typed before the palette was loaded. */
  typed: string;
  onClose: () => void;
}

interface PaletteProps extends OpenedPalette {
  sources: readonly PaletteSource[];
}

/** Command palette: a dialog with a combobox whose list is always open. */
function Palette(props: PaletteProps) {
  const { t } = useTranslation();
  const { onClose } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('palette.title')}
      closeButtonProps={{ 'aria-label': t('palette.close') }}
      yOffset="10vh"
      transitionProps={{ duration: 0 }}
      // PaletteButton restores the focus at once. A later restore would steal it from a palette that was reopened.
      returnFocus={false}
    >
      <Search {...props} />
    </Modal>
  );
}

function Search({ sources, typed, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState(typed);
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    // Further typing continues the text.
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const found = findEntries(usePaletteEntries(sources), query);
  const active = Math.min(chosen, found.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    // scrollIntoView returns a promise in newer browsers, and an effect must not return one.
    void document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that confirms an IME composition must not select an entry.
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setChosen(active >= last ? 0 : active + 1),
      ArrowUp: () => setChosen(active <= 0 ? last : active - 1),
      PageDown: () => setChosen(Math.min(last, active + 8)),
      PageUp: () => setChosen(Math.max(0, active - 8)),
      Enter: () => run(found[active]),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <>
      <TextInput
        ref={field}
        data-autofocus
        aria-label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={t('palette.label')} className={classes.list}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
          <div
            key={entry.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onClick={() => run(entry)}
          >
            <span className={classes.icon}>{entry.icon && <entry.icon size={16} aria-hidden />}</span>
            <span className={classes.title}>{entry.title}</span>
            <span className={classes.kind}>{entry.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className={classes.status} data-keys={found.length > 0 || undefined}>
        {found.length === 0 ? t('palette.none') : t('palette.keys')}
      </p>
    </>
  );
}

/** Entries of one feature. */
interface PaletteSource {
  readonly useEntries: UsePaletteEntries;
  readonly icon: PaletteEntry['icon'];
}

function loadPaletteSources(): Promise<PaletteSource[]> {
  const loads = features.flatMap((feature) => {
    const load = feature.palette?.load;
    return load ? [load().then((useEntries) => ({ useEntries, icon: feature.tabs?.[0]?.icon }))] : [];
  });
  return Promise.all(loads);
}

/** Lists what every feature offers, and the console's own actions. */
function usePaletteEntries(sources: readonly PaletteSource[]): PaletteEntry[] {
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
