import { queryOptions } from '@tanstack/react-query';
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

export function groupsOf(task: DubbingTask | undefined): readonly DubbingGroup[] {
  return task?.asr_response?.groups ?? noGroups;
}

/** How far dubbing is, and every group. What did not change stays the same object, so that nothing of it is drawn again. */
export const taskQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'task', uuid],
    queryFn: ({ signal }) => client.call(dubbingApi.task, { uuid, task: uuid }, { signal }),
    refetchInterval: (query) => {
      const { data, dataUpdateCount } = query.state;
      const isResting = data !== undefined && !isWorking(data);
      return whileSignedIn(isResting ? restingMs : Math.min(workingMs, 500 * 2 ** dataUpdateCount))(query);
    },
  });
