import { queryOptions } from '@tanstack/react-query';
import { type ProcessState, processTimes, transcodeApi } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';
import { slowPollWhileConnected } from '../../lib/events/event-feed-state.ts';

/** Common prefix of both query keys: a change of settings changes the task. */
export const transcodeKey = ['transcode'];

export const transcodeQuery = queryOptions({
  queryKey: ['transcode', 'config'],
  queryFn: ({ signal }) => client.call(transcodeApi.query, {}, { signal }),
});

/** States that soon change by themselves. */
const passing: readonly ProcessState[] = ['starting', 'stopping', 'reconnecting'];

export const transcodeTaskQuery = queryOptions({
  queryKey: ['transcode', 'task'],
  queryFn: ({ signal }) => client.call(transcodeApi.task, {}, { signal }),
  refetchInterval: ({ state: { data, error } }) => {
    if (isSignInEnded(error)) return false;
    return slowPollWhileConnected(
      data && passing.includes(data.process.state) ? processTimes.watchMs : processTimes.pollMs,
    );
  },
  refetchOnWindowFocus: true,
});
