import { Text } from '@mantine/core';
import { Activity, type ReactNode, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { TabDefinition } from '../../../lib/feature.ts';
import { CrashBoundary } from '../feedback/crash-boundary.tsx';
import { CrashNotice } from '../feedback/crash-notice.tsx';
import { PageSkeleton } from '../feedback/page-skeleton.tsx';
import { DefaultHead } from './page-head.tsx';
import { TabList } from './tab-list.tsx';
import classes from './tabbed-page.module.css';

/** State dots by tab id. Grey means set up but off. */
export type TabMarks = Readonly<Record<string, TabMark>>;

export interface TabMark {
  readonly tone: 'ok' | 'warn' | 'bad' | 'off';
  /** Alerts that the tab is marked for. */
  readonly alerts?: number;
  /** Number before the dot, such as live streams. */
  readonly number?: number;
}

interface TabbedPageProps {
  tabs: readonly [TabDefinition, ...TabDefinition[]];
  /** Used if the address names no tab; defaults to the first. */
  initial?: string;
  parameter?: 'tab' | 'ctab';
  /** Parent tab of child tabs. */
  within?: string;
  marks?: TabMarks;
  /** Tab to highlight instead of the shown one, for pages that belong to another. */
  highlighted?: string | undefined;
}

/**
 * Stores the selected tab in the address, so that Back, bookmarks and links work. Visited tabs keep typed text while hidden, but stop
 * polling.
 */
export function TabbedPage({ tabs, initial, parameter = 'tab', within, marks = {}, highlighted }: TabbedPageProps) {
  const [query] = useSearchParams();
  const id = useId();
  const wanted = query.get(parameter) ?? '';
  const named = tabs.find((tab) => tab.id === wanted || tab.alsoFor?.includes(wanted));
  const usual = tabs.find((tab) => tab.id === initial) ?? tabs[0];
  const shown = named ?? usual;
  const active = tabs.find((tab) => tab.id === highlighted) ?? shown;
  const [visited, setVisited] = useState<readonly string[]>([shown.id]);
  if (!visited.includes(shown.id)) setVisited([...visited, shown.id]);
  const isChild = within !== undefined;
  const labelOf = (tab: TabDefinition) => `${id}-tab-${(tab === shown ? active : tab).id}`;

  return (
    <>
      {tabs.length > 1 && (
        <TabList
          {...{ tabs, active, shown, id, marks }}
          isSidebar={!isChild}
          addressOf={(tab) => addressOf(tab, parameter, within)}
        />
      )}
      {tabs
        .filter((tab) => visited.includes(tab.id))
        .map((tab) => (
          <Activity key={tab.id} mode={tab === shown ? 'visible' : 'hidden'}>
            <div
              className={isChild ? classes.child : classes.panel}
              {...(tabs.length > 1 && { role: 'tabpanel', id: `${id}-${tab.id}`, 'aria-labelledby': labelOf(tab) })}
            >
              {!named && wanted !== '' && tab === shown && <UnknownTab name={wanted} shown={tab} />}
              <TabHead tab={tab} isChild={isChild}>
                <CrashBoundary fallback={(error, reset) => <CrashNotice error={error} onRetry={reset} />}>
                  <Suspense fallback={<PageSkeleton />}>
                    <tab.panel.Component />
                  </Suspense>
                </CrashBoundary>
              </TabHead>
            </div>
          </Activity>
        ))}
    </>
  );
}

/** Default head of a tab. A tab within a tab is below the head of its page. */
function TabHead({ tab, isChild, children }: { tab: TabDefinition; isChild: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (isChild) return children;
  return (
    <DefaultHead title={t(tab.title)} purpose={tab.purpose && t(tab.purpose)}>
      {children}
    </DefaultHead>
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
