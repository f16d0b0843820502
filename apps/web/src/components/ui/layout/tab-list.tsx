import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TabDefinition } from '../../../lib/feature.ts';
import classes from './tab-list.module.css';
import type { TabMarks } from './tabbed-page.tsx';

interface TabListProps {
  tabs: readonly TabDefinition[];
  active: TabDefinition;
  /** Start of the ids of tabs and panels. */
  id: string;
  marks: TabMarks;
  addressOf: (tab: TabDefinition) => string;
  /** Tab whose panel is shown. */
  shown: TabDefinition;
  /** Sidebar of a page, or a row above the panel. */
  isSidebar: boolean;
}

/** Tabs of a page: the sidebar with icons, groups and states, or a row for tabs within a tab. */
export function TabList({ tabs, active, shown, id, marks, addressOf, isSidebar }: TabListProps) {
  const { t } = useTranslation();
  // Scrolls the selected tab into view where the list is longer than its place.
  const here = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another tab
  useEffect(() => {
    // No return value: some browsers return a promise, which React would treat as a cleanup.
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active.id]);
  return (
    <div
      role="tablist"
      aria-label={t('shell.sections')}
      aria-orientation={isSidebar ? 'vertical' : 'horizontal'}
      className={isSidebar ? classes.sidebar : classes.row}
      onKeyDown={moveFocus}
      tabIndex={-1}
    >
      {tabs.map((tab, index) => (
        <Fragment key={tab.id}>
          {isSidebar && <GroupStart group={tab.group} before={tabs[index - 1]} />}
          <Link
            to={addressOf(tab)}
            ref={tab === active ? here : null}
            role="tab"
            id={`${id}-tab-${tab.id}`}
            className={classes.tab}
            aria-selected={tab === active}
            {...(tab === active && { 'aria-controls': `${id}-${shown.id}` })}
            tabIndex={tab === active ? 0 : -1}
            {...describeMark(marks[tab.id])}
          >
            {isSidebar && tab.icon && <tab.icon size={18} stroke={1.7} aria-hidden className={classes.icon} />}
            <span className={classes.name}>{t(tab.title)}</span>
            <TabMark mark={marks[tab.id]} />
          </Link>
        </Fragment>
      ))}
    </div>
  );

  // A title is announced after the name and shown on hover, without changing the name.
  function describeMark(mark: TabMarks[string] | undefined) {
    if (mark?.alerts) return { 'data-mark': mark.tone, title: t('shell.tabAlerts', { count: mark.alerts }) };
    return mark && { 'data-mark': mark.tone, title: t(`shell.mark.${mark.tone}`) };
  }
}

/** Heading of a group, or a rule before tabs without one. */
function GroupStart({ group, before }: { group: TabDefinition['group']; before: TabDefinition | undefined }) {
  const { t } = useTranslation();
  if (before && group === before.group) return null;
  if (!group) return before ? <div className={classes.rule} role="presentation" /> : null;
  return (
    <span className={classes.group} aria-hidden="true">
      {t(group)}
    </span>
  );
}

/** Number and state dot at the end of a tab. */
export function TabMark({ mark }: { mark: TabMarks[string] | undefined }) {
  if (!mark) return null;
  return (
    <span className={classes.mark} aria-hidden="true">
      {mark.number !== undefined && mark.number > 0 && mark.number}
      <span className={classes.dot} data-tone={mark.tone} />
    </span>
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
