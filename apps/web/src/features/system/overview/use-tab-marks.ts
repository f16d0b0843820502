import { useQuery } from '@tanstack/react-query';
import type { AlertPlace } from '@weir/contract';
import { useMemo } from 'react';
import type { TabMarks } from '../../../components/ui/layout/tabbed-page.tsx';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { marksOf } from './alert-places.ts';

/** Which tabs of a page have something that needs a person. */
export function useTabMarks(page: AlertPlace['page']): TabMarks {
  const { data } = useQuery(statusQuery);
  return useMemo(() => marksOf(data?.alerts ?? [], page), [data, page]);
}
