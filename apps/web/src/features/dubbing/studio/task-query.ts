import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type DubbingGroup, type DubbingStatus, type DubbingTask, dubbingApi } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';
import { mergeTask } from './merge-task.ts';

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
