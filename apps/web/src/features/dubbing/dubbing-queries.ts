import { queryOptions } from '@tanstack/react-query';
import { dubbingApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

/** Common prefix of all dubbing query keys. */
export const dubbingKey = ['dubbing'];
const pollMs = 3000;
/** Links are valid for twelve hours; renewing them after three keeps an open page working. */
const linkMs = 3 * 3_600_000;

export const projectsQuery = queryOptions({
  queryKey: ['dubbing', 'list'],
  queryFn: ({ signal }) => client.call(dubbingApi.list, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(pollMs),
});

export const projectQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'one', uuid],
    queryFn: ({ signal }) => client.call(dubbingApi.query, { uuid }, { signal }),
  });

/** Token that lets players load the video and the voices. */
export const linkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'link', uuid],
    queryFn: ({ signal }) => client.call(dubbingApi.links, { uuid }, { signal }),
    staleTime: linkMs,
  });
