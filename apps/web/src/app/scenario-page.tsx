import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import { TabbedPage } from '../components/ui/layout/tabbed-page.tsx';
import { useTabMarks } from '../features/system/overview/use-tab-marks.ts';
import { statusQuery } from '../lib/queries/system-queries.ts';
import { scenarioTabs } from './screens.ts';

/** Content above the target may still load during this time and move it. */
const settlesMs = 5000;
/** User actions that end the scrolling to the target. */
const gestures = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls to and focuses the element named by a hash such as `#disk`, also when it renders later, and keeps it in view. */
function useHashTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls again
  useEffect(() => {
    if (hash === '') return;
    const over = new AbortController();
    const find = () => document.getElementById(hash.slice(1));
    const show = () => void find()?.scrollIntoView({ block: 'start' });
    const grown = new ResizeObserver(show);
    const arrive = () => {
      const target = find();
      if (!target) return false;
      show();
      target.focus({ preventScroll: true });
      grown.observe(document.body);
      for (const name of gestures) addEventListener(name, () => over.abort(), { signal: over.signal, passive: true });
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
  const { t } = useTranslation();
  const [query] = useSearchParams();
  useHashTarget();
  const marks = useTabMarks('scenario');
  const landing = useInitialTab();
  if (landing === undefined && !query.has('tab')) return <PageSkeleton />;
  return (
    <>
      <VisuallyHidden component="h1">{t('nav.scenario')}</VisuallyHidden>
      <TabbedPage tabs={scenarioTabs} initial={landing ?? 'tutorials'} marks={marks} />
    </>
  );
}

/**
 * Default tab: the tutorials, or the overview once this server has had a publisher. Undefined while unknown. Decided once, so that the page
 * does not change while it is read.
 */
function useInitialTab(): 'tutorials' | 'overview' | undefined {
  const { data, failureCount } = useQuery(statusQuery);
  const [landing, setLanding] = useState<'tutorials' | 'overview'>();
  if (landing !== undefined) return landing;
  if (!data && failureCount === 0) return undefined;
  const decided = data?.steps?.published ? 'overview' : 'tutorials';
  setLanding(decided);
  return decided;
}
