import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { statusQuery } from '../lib/queries/system-queries.ts';

/**
 * The tab for somebody who names none: the tutorials, or the overview once this server has been published to. Undefined until that
 * is known. Decided once, so that nobody is taken elsewhere while reading.
 */
export function useInitialTab(): 'tutorials' | 'overview' | undefined {
  const { data, failureCount } = useQuery(statusQuery);
  const [landing, setLanding] = useState<'tutorials' | 'overview'>();
  if (landing !== undefined) return landing;
  if (!data && failureCount === 0) return undefined;
  const decided = data?.steps?.published ? 'overview' : 'tutorials';
  setLanding(decided);
  return decided;
}
