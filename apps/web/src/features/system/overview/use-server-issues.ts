import { useQuery } from '@tanstack/react-query';
import { alertIssueIds, type Issue } from '@weir/contract';
import { useMemo } from 'react';
import { isAdvice } from './issue-places.ts';
import { serverDiagnosisQuery } from './server-diagnosis-query.ts';

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
