import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type DubbingGroup, type DubbingStatus, type DubbingTask, dubbingApi } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

const resting: readonly DubbingStatus[] = ['done', 'failed', 'paused'];
const workingMs = 3000;
/** For what another window changes. */
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
 * How far dubbing is, and every group, of which only those that changed are fetched again. What did not change stays the same object, so that
 * nothing of it is drawn again.
 */
export const taskQuery = (uuid: string) =>
  queryOptions({
    queryKey: taskKey(uuid),
    queryFn: async ({ signal, client: queries }): Promise<DubbingTask> => {
      const known = cachedTask(queries, uuid);
      const ask = (since: string) => client.call(dubbingApi.task, { uuid, task: uuid, since }, { signal });
      return mergeTask(known, await ask(known?.cursor ?? '')) ?? ask('');
    },
    structuralSharing: false,
    refetchInterval: (query) => {
      const { data, dataUpdateCount } = query.state;
      const isResting = data !== undefined && !isWorking(data);
      return whileSignedIn(isResting ? restingMs : Math.min(workingMs, 500 * 2 ** dataUpdateCount))(query);
    },
  });

/** A task as it is after an answer that may have only what changed; undefined: the answer does not follow what is known. */
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
    // Where others came or went before it, it has another number.
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
