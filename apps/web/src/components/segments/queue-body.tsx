import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageSkeleton } from '../ui/feedback/page-skeleton.tsx';
import { type Freshness, StaleChip } from '../ui/feedback/stale-chip.tsx';

interface QueueBodyProps {
  query: Freshness & { readonly data: unknown };
  isEmpty: boolean;
  /** Said while the queue has nothing. */
  empty: string;
  children: ReactNode;
}

/** A table, or in its place: that it is empty, that it is not known yet, or for how long it is old. */
export function QueueBody({ query, isEmpty, empty, children }: QueueBodyProps) {
  if (!query.data) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  return (
    <>
      <StaleChip {...query} />
      {isEmpty && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      <div hidden={isEmpty}>{children}</div>
    </>
  );
}
