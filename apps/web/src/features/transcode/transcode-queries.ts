import { queryOptions } from '@tanstack/react-query';
import { type ProcessState, processTimes, transcodeApi } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';

/** What both of them begin with: a change of the settings changes what runs. */
export const transcodeKey = ['transcode'];

export const transcodeQuery = queryOptions({
  queryKey: ['transcode', 'config'],
  queryFn: ({ signal }) => client.call(transcodeApi.query, {}, { signal }),
});

/** About to become another one by themselves. */
const passing: readonly ProcessState[] = ['starting', 'stopping', 'reconnecting'];

export const transcodeTaskQuery = queryOptions({
  queryKey: ['transcode', 'task'],
  queryFn: ({ signal }) => client.call(transcodeApi.task, {}, { signal }),
  refetchInterval: ({ state: { data, error } }) => {
    if (isSignInEnded(error)) return false;
    return data && passing.includes(data.process.state) ? processTimes.watchMs : processTimes.pollMs;
  },
  refetchOnWindowFocus: true,
});
