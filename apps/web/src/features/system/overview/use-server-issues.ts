import { queryOptions, useQuery } from '@tanstack/react-query';
import { alertIssueIds, consoleTimes, type Issue, systemApi } from '@weir/contract';
import { useMemo } from 'react';
import { client } from '../../../lib/api.ts';
import { mountingMs, whileUnheard } from '../../../lib/queries/while-signed-in.ts';
import { isAdvice } from './alert-places.ts';

/** What is wrong with the server itself. Part of the status: news of alerts are news of this. */
const serverDiagnosisQuery = queryOptions({
  queryKey: ['status', 'diagnosis'],
  queryFn: ({ signal }) => client.call(systemApi.diagnosis, {}, { signal }),
  staleTime: mountingMs,
  refetchInterval: whileUnheard(consoleTimes.statusPollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});

export interface ServerIssues {
  /** What needs a person, beside the alerts. */
  readonly alarms: readonly Issue[];
  /** What could be set up better. */
  readonly advice: readonly Issue[];
}

/** What is wrong with the server itself. What an alert tells of is left to the alert. */
export function useServerIssues(): ServerIssues {
  const { data, failureCount } = useQuery(serverDiagnosisQuery);
  return useMemo(() => {
    // Whether the server answers at all is told beside its status.
    const issues = failureCount > 0 ? [] : (data?.issues ?? []);
    const own = issues.filter(({ id }) => !alertIssueIds.includes(id));
    return { alarms: own.filter((issue) => !isAdvice(issue)), advice: own.filter(isAdvice) };
  }, [data, failureCount]);
}
