import { queryOptions, useQuery } from '@tanstack/react-query';
import { alertIssueIds, consoleTimes, type Issue, systemApi } from '@weir/contract';
import { useMemo } from 'react';
import { client } from '../../../lib/api.ts';
import { mountStaleMs, pollUnlessEventsArrive } from '../../../lib/queries/polling.ts';
import { isAdvice } from './alert-places.ts';

/** Diagnosis of the server. Its key begins with `status`, so that events about alerts refresh it too. */
const serverDiagnosisQuery = queryOptions({
  queryKey: ['status', 'diagnosis'],
  queryFn: ({ signal }) => client.call(systemApi.diagnosis, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.statusPollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});

export interface ServerIssues {
  readonly alarms: readonly Issue[];
  readonly advice: readonly Issue[];
}

/** Issues of the server itself, without those reported as alerts. */
export function useServerIssues(): ServerIssues {
  const { data, failureCount } = useQuery(serverDiagnosisQuery);
  return useMemo(() => {
    // The status already reports an unreachable server.
    const issues = failureCount > 0 ? [] : (data?.issues ?? []);
    const own = issues.filter(({ id }) => !alertIssueIds.includes(id));
    return { alarms: own.filter((issue) => !isAdvice(issue)), advice: own.filter(isAdvice) };
  }, [data, failureCount]);
}
