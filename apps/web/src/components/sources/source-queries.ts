import { queryOptions } from '@tanstack/react-query';
import { downloadPollMs, sourceApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

/** Common prefix: adding or deleting a source affects all of them. */
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
  // Polls only while a download runs.
  refetchInterval: ({ state }) => (state.data?.some((job) => job.state === 'running') ? downloadPollMs : false),
});
