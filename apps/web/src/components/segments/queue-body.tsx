import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageSkeleton } from '../ui/feedback/page-skeleton.tsx';
import { type Freshness, StaleChip } from '../ui/feedback/stale-chip.tsx';

interface QueueBodyProps {
  query: Freshness & { readonly data: unknown };
  isEmpty: boolean;
  /** Shown while the queue is empty. */
  empty: string;
  children: ReactNode;
}

/** Renders a table, or its empty, loading or stale state. */
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
