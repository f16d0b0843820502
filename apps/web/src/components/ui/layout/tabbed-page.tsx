import { Text } from '@mantine/core';
import { Activity, type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { TabDefinition } from '../../../lib/feature.ts';
import { CrashBoundary } from '../feedback/crash-boundary.tsx';
import { CrashNotice } from '../feedback/crash-notice.tsx';
import { PageSkeleton } from '../feedback/page-skeleton.tsx';
import classes from './tabbed-page.module.css';

/** Warnings by tab id. */
export type TabMarks = Readonly<Record<string, { readonly tone: 'warn' | 'bad'; readonly count: number }>>;

interface TabbedPageProps {
  tabs: readonly [TabDefinition, ...TabDefinition[]];
  /** Used if the address names no tab; defaults to the first. */
  initial?: string;
  parameter?: 'tab' | 'ctab';
  /** Parent tab of child tabs. */
  within?: string;
  marks?: TabMarks;
}

/**
 * Stores the selected tab in the address, so that Back, bookmarks and links work. Visited tabs keep typed text while hidden, but stop
 * polling.
 */
export function TabbedPage({ tabs, initial, parameter = 'tab', within, marks = {} }: TabbedPageProps) {
  const [query] = useSearchParams();
  const id = useId();
  const wanted = query.get(parameter) ?? '';
  const named = tabs.find((tab) => tab.id === wanted || tab.alsoFor?.includes(wanted));
  const usual = tabs.find((tab) => tab.id === initial) ?? tabs[0];
  const active = named ?? usual;
  const [visited, setVisited] = useState<readonly string[]>([active.id]);
  if (!visited.includes(active.id)) setVisited([...visited, active.id]);
  const isTabbed = tabs.length > 1;
  const hrefOf = (tab: TabDefinition) => addressOf(tab, parameter, within);

  return (
    <div className={classes.page} data-tabbed={isTabbed || undefined} data-child={within !== undefined || undefined}>
      {isTabbed && <TabList {...{ tabs, active, id, marks }} addressOf={hrefOf} />}
      {tabs
        .filter((tab) => visited.includes(tab.id))
        .map((tab) => (
          <Activity key={tab.id} mode={tab === active ? 'visible' : 'hidden'}>
            <div
              className={classes.panel}
              {...(isTabbed && { role: 'tabpanel', id: `${id}-${tab.id}`, 'aria-labelledby': `${id}-tab-${tab.id}` })}
            >
              {!named && wanted !== '' && tab === active && <UnknownTab name={wanted} shown={tab} />}
              <CrashBoundary fallback={(error, reset) => <CrashNotice error={error} onRetry={reset} />}>
                <Suspense fallback={<PageSkeleton />}>
                  <tab.panel.Component />
                </Suspense>
              </CrashBoundary>
            </div>
          </Activity>
        ))}
    </div>
  );
}

/** Replaces the whole query: parameters of one tab mean nothing to another. */
function addressOf(tab: TabDefinition, parameter: string, within: string | undefined): string {
  return `?${new URLSearchParams({ ...(within !== undefined && { tab: within }), [parameter]: tab.id })}`;
}

/** Shown above the fallback tab if the address names an unknown one. */
function UnknownTab({ name, shown }: { name: string; shown: TabDefinition }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" mb="md" role="status" className={classes.unknown}>
      {t('shell.tabUnknown', { name: name.slice(0, 40), shown: t(shown.title) })}
    </Text>
  );
}

interface TabListProps {
  tabs: readonly TabDefinition[];
  active: TabDefinition;
  id: string;
  marks: TabMarks;
  addressOf: (tab: TabDefinition) => string;
}

function TabList({ tabs, active, id, marks, addressOf }: TabListProps) {
  const { t } = useTranslation();
  // Scrolls the selected tab into view on narrow screens.
  const here = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another tab
  useEffect(() => {
    // No return value: some browsers return a promise, which React would treat as a cleanup.
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active.id]);
  // A title is announced after the name and shown on hover, without changing the name.
  const markOf = (tab: string) => {
    const mark = marks[tab];
    return mark && { 'data-mark': mark.tone, title: t('shell.tabAlerts', { count: mark.count }) };
  };
  return (
    <div role="tablist" aria-label={t('shell.sections')} className={classes.list} onKeyDown={moveFocus} tabIndex={-1}>
      {tabs.map((tab, index) => (
        <div key={tab.id} className={classes.entry} role="presentation">
          {tab.group !== tabs[index - 1]?.group && (
            <span className={classes.group} aria-hidden="true">
              {t(tab.group)}
            </span>
          )}
          <Link
            to={addressOf(tab)}
            ref={tab === active ? here : null}
            role="tab"
            id={`${id}-tab-${tab.id}`}
            className={classes.tab}
            aria-selected={tab === active}
            {...(tab === active && { 'aria-controls': `${id}-${tab.id}` })}
            tabIndex={tab === active ? 0 : -1}
            {...markOf(tab.id)}
          >
            {t(tab.title)}
            {marks[tab.id] && <span className={classes.dot} aria-hidden="true" />}
          </Link>
        </div>
      ))}
    </div>
  );
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrow keys move the focus, Enter or Space opens: opening on every arrow would fill the history. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]'));
  const here = tabs.findIndex((tab) => tab.contains(document.activeElement));
  const step = steps[event.key];
  let target: HTMLElement | undefined;
  if (step !== undefined) target = tabs.at((here + step) % tabs.length);
  else if (event.key === 'Home') target = tabs[0];
  else if (event.key === 'End') target = tabs.at(-1);
  else if (event.key === ' ') tabs[here]?.click();
  else return;
  event.preventDefault();
  target?.focus();
}
