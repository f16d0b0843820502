import { useQuery } from '@tanstack/react-query';
import type { AlertPlace } from '@weir/contract';
import { useMemo } from 'react';
import type { TabMarks } from '../../../components/ui/layout/tabbed-page.tsx';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { countTabMarks, issueTab } from './alert-places.ts';
import { useServerIssues } from './use-server-issues.ts';

export function useTabMarks(page: AlertPlace['page']): TabMarks {
  const { data } = useQuery(statusQuery);
  const { alarms } = useServerIssues();
  return useMemo(() => {
    const placed = alarms.flatMap((issue) => {
      const place = issueTab(issue);
      return place ? [{ place, severity: issue.severity }] : [];
    });
    return countTabMarks([...(data?.alerts ?? []), ...placed], page);
  }, [data, alarms, page]);
}
