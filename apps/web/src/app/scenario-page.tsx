import { useQuery } from '@tanstack/react-query';
import { firstSteps } from '@weir/contract';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import pageClasses from '../components/ui/layout/page-inner.module.css';
import { TabbedPage } from '../components/ui/layout/tabbed-page.tsx';
import { useTabMarks } from '../features/system/overview/use-tab-marks.ts';
import { statusQuery } from '../lib/queries/system-queries.ts';
import { scenarioTabs } from './screens.ts';

/** Content above the target may still load during this time and move it. */
const settlesMs = 5000;
/** User actions that end the way to the target: who reads or presses something meanwhile keeps place and focus. */
const gestures = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls to and focuses the element named by a hash such as `#disk`, also when it renders later, and keeps it in view. */
function useHashTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls again
  useEffect(() => {
    if (hash === '') return;
    const over = new AbortController();
    const sinceMs = performance.now();
    const onGesture = ({ timeStamp }: Event) => {
      // The key that followed the link may still be on its way.
      if (timeStamp > sinceMs) over.abort();
    };
    for (const name of gestures) addEventListener(name, onGesture, { signal: over.signal, passive: true });
    const find = () => document.getElementById(hash.slice(1));
    const show = () => void find()?.scrollIntoView({ block: 'start' });
    const grown = new ResizeObserver(show);
    const arrive = () => {
      const target = find();
      if (!target) return false;
      show();
      target.focus({ preventScroll: true });
      grown.observe(document.body);
      const timer = setTimeout(() => over.abort(), settlesMs);
      over.signal.addEventListener('abort', () => clearTimeout(timer));
      return true;
    };
    const drawn = new MutationObserver(() => {
      if (arrive()) drawn.disconnect();
    });
    if (!arrive()) drawn.observe(document.body, { childList: true, subtree: true });
    over.signal.addEventListener('abort', () => {
      drawn.disconnect();
      grown.disconnect();
    });
    return () => over.abort();
  }, [hash, key]);
}

export function ScenarioPage() {
  const [query] = useSearchParams();
  useHashTarget();
  const marks = useTabMarks('scenario');
  const landing = useInitialTab();
  const tabs = useShownTabs(query.get('tab'));
  if (landing === undefined && !query.has('tab'))
    return (
      <div className={pageClasses.inner}>
        <PageSkeleton />
      </div>
    );
  return (
    <TabbedPage
      tabs={tabs}
      initial={landing ?? firstTab}
      marks={marks}
      highlighted={query.get('tab') === 'live' && query.has('stream') ? 'overview' : undefined}
    />
  );
}

/** Tab for a new server: the first steps. */
const firstTab = scenarioTabs.some(({ id }) => id === 'start') ? 'start' : 'tutorials';

/** All tabs, but for the first steps once they are done. */
function useShownTabs(named: string | null): typeof scenarioTabs {
  const steps = useQuery(statusQuery).data?.steps;
  const isDone = steps !== undefined && firstSteps.every((step) => steps[step]);
  return useMemo(() => {
    if (!isDone || named === 'start') return scenarioTabs;
    const [first, ...rest] = scenarioTabs;
    return [first, ...rest.filter(({ id }) => id !== 'start')] as const;
  }, [isDone, named]);
}

/**
 * Default tab: the first steps, or the overview once this server has had a publisher. Undefined while unknown. Decided once, so that the
 * page does not change while it is read.
 */
function useInitialTab(): string | undefined {
  const { data, failureCount } = useQuery(statusQuery);
  const [landing, setLanding] = useState<string>();
  if (landing !== undefined) return landing;
  if (!data && failureCount === 0) return undefined;
  const decided = data?.steps?.published ? 'overview' : firstTab;
  setLanding(decided);
  return decided;
}
