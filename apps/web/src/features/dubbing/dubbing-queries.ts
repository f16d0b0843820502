import { queryOptions } from '@tanstack/react-query';
import { dubbingApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { whileUnheard } from '../../lib/queries/while-signed-in.ts';

/** What all of them begin with. */
export const dubbingKey = ['dubbing'];
const pollMs = 3000;
/** Links open a project for twelve hours; nobody watches one for as long as that without coming back to the window. */
const linkMs = 3 * 3_600_000;

export const projectsQuery = queryOptions({
  queryKey: ['dubbing', 'list'],
  queryFn: ({ signal }) => client.call(dubbingApi.list, {}, { signal }),
  refetchInterval: whileUnheard(pollMs),
});

export const projectQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'one', uuid],
    queryFn: ({ signal }) => client.call(dubbingApi.query, { uuid }, { signal }),
  });

/** What players show to get the film and the voices. */
export const linkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'link', uuid],
    queryFn: ({ signal }) => client.call(dubbingApi.links, { uuid }, { signal }),
    staleTime: linkMs,
  });
