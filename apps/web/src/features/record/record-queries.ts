import { queryOptions } from '@tanstack/react-query';
import { recordApi, recordLimits, recordPollMs } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';
import { slowPollWhileConnected } from '../../lib/events/event-feed-state.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

export const recordQuery = queryOptions({
  queryKey: ['record', 'settings'],
  queryFn: ({ signal }) => client.call(recordApi.query, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(recordPollMs),
  meta: { endsSession: true },
});

export const recordingsQuery = queryOptions({
  queryKey: ['record', 'files'],
  queryFn: ({ signal }) => client.call(recordApi.files, {}, { signal }),
  refetchInterval: ({ state: { data, error } }) => {
    if (isSignInEnded(error)) return false;
    // No event tells how far a file has come.
    const isFinishing = data?.some(({ state }) => state === 'finishing' || state === 'copying');
    return isFinishing ? recordPollMs : slowPollWhileConnected(recordPollMs);
  },
  refetchOnWindowFocus: true,
});

/** URLs for images, players and downloads, which send no credential. Renewed long before they expire. */
export const recordLinkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['record-link', uuid],
    queryFn: ({ signal }) => client.call(recordApi.sign, { uuid }, { signal }),
    staleTime: recordLimits.linkMs / 2,
    refetchInterval: recordLimits.linkMs / 2,
    meta: { quiet: true },
  });

/** Common prefix of both query keys: an action changes the list and the free space. */
export const recordKey = ['record'];
