import { queryOptions } from '@tanstack/react-query';
import { downloadPollMs, sourceApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

/** Everything below begins with this: a source that is added or deleted changes all of it. */
export const sourcesKey = ['sources'] as const;

export const libraryQuery = queryOptions({
  queryKey: [...sourcesKey, 'library'],
  queryFn: ({ signal }) => client.call(sourceApi.library, {}, { signal }),
});

export const uploadsQuery = queryOptions({
  queryKey: [...sourcesKey, 'uploads'],
  queryFn: ({ signal }) => client.call(sourceApi.uploads, {}, { signal }),
});

export const downloadsQuery = queryOptions({
  queryKey: [...sourcesKey, 'downloads'],
  queryFn: ({ signal }) => client.call(sourceApi.downloads, {}, { signal }),
  // Only while there is something to look at.
  refetchInterval: ({ state }) => (state.data?.some((job) => job.state === 'running') ? downloadPollMs : false),
});
