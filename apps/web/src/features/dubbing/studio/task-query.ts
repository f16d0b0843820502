import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type DubbingGroup, type DubbingStatus, type DubbingTask, dubbingApi } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { pollWhileSignedIn } from '../../../lib/queries/polling.ts';

const resting: readonly DubbingStatus[] = ['done', 'failed', 'paused'];
const workingMs = 3000;
/** Interval for changes made in other windows. */
const restingMs = 10_000;

export function isWorking({ status }: Pick<DubbingTask, 'status'>): boolean {
  return !resting.includes(status);
}

const noGroups: readonly DubbingGroup[] = [];

export function taskGroups(task: DubbingTask | undefined): readonly DubbingGroup[] {
  return task?.asr_response?.groups ?? noGroups;
}

const taskKey = (uuid: string) => ['dubbing', 'task', uuid];

export function cachedTask(queries: QueryClient, uuid: string): DubbingTask | undefined {
  return queries.getQueryData(taskKey(uuid));
}

/**
 * Task with all its groups. Fetches only changed groups; unchanged ones stay the same object and do not render again.
 */
export const taskQuery = (uuid: string) =>
  queryOptions({
    queryKey: taskKey(uuid),
    queryFn: async ({ signal, client: queries }): Promise<DubbingTask> => {
      const known = cachedTask(queries, uuid);
      const fetchSince = (since: string) => client.call(dubbingApi.task, { uuid, task: uuid, since }, { signal });
      return mergeTask(known, await fetchSince(known?.cursor ?? '')) ?? fetchSince('');
    },
    structuralSharing: false,
    refetchInterval: (query) => {
      const { data, dataUpdateCount } = query.state;
      const isResting = data !== undefined && !isWorking(data);
      return pollWhileSignedIn(isResting ? restingMs : Math.min(workingMs, 500 * 2 ** dataUpdateCount))(query);
    },
  });

/** Merges a response that may hold only the changes; undefined = it does not follow the cached task. */
export function mergeTask(before: DubbingTask | undefined, answer: DubbingTask): DubbingTask | undefined {
  const response = answer.asr_response;
  if (answer.since === '' || !response) return answer;
  const known = before?.asr_response?.groups ?? [];
  if (answer.since !== before?.cursor) return undefined;
  if (response.groups.length === 0 && answer.order === null) return withGroups(answer, known);
  const byId = new Map([...known, ...response.groups].map((group) => [group.uuid, group]));
  const order = answer.order ?? known.map(({ uuid }) => uuid);
  const groups = order.flatMap((uuid, id) => {
    const group = byId.get(uuid);
    // Groups added or removed before this one change its number.
    return group ? [group.id === id ? group : { ...group, id }] : [];
  });
  return groups.length === order.length ? withGroups(answer, groups) : undefined;
}

function withGroups(answer: DubbingTask, groups: readonly DubbingGroup[]): DubbingTask {
  return {
    ...answer,
    asr_response: answer.asr_response && { ...answer.asr_response, groups: groups as DubbingGroup[] },
  };
}
