import { useQuery } from '@tanstack/react-query';
import type { AlertPlace } from '@weir/contract';
import { useMemo } from 'react';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import type { TabMarks } from '../../../components/ui/layout/tabbed-page.tsx';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { activityMarks, countTabMarks, issueTab, mergeMarks } from './alert-places.ts';
import { useServerIssues } from './use-server-issues.ts';

/** State dots of the tabs of a page. */
export function useTabMarks(page: AlertPlace['page']): TabMarks {
  const { data } = useQuery(statusQuery);
  const { alarms } = useServerIssues();
  const live = useQuery({ ...streamsQuery, select: ({ streams }) => streams.length }).data ?? 0;
  return useMemo(() => {
    const placed = alarms.flatMap((issue) => {
      const place = issueTab(issue);
      return place ? [{ place, severity: issue.severity }] : [];
    });
    const marks = countTabMarks([...(data?.alerts ?? []), ...placed], page);
    if (page !== 'scenario') return marks;
    const streams: TabMarks = live > 0 ? { overview: { tone: 'ok', number: live } } : {};
    return mergeMarks({ ...activityMarks(data?.activity), ...streams }, marks);
  }, [data, alarms, page, live]);
}
