import { queryOptions } from '@tanstack/react-query';
import { limits, streamsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

/** What lets the console show a stream without being counted as a viewer. `publisher`: after a restart of the server an old one is worth nothing. */
export const previewQuery = (path: string, publisher = '') =>
  queryOptions({
    queryKey: ['stream-preview', path, publisher],
    queryFn: ({ signal }) => client.call(streamsApi.preview, placeOf(path), { signal }),
    staleTime: limits.previewMs / 2,
    // Without it the picture plays all the same, and is counted.
    retry: false,
    meta: { quiet: true },
  });

/** `app/name`; the app may have several levels. */
function placeOf(path: string): { app: string; stream: string } {
  const slash = path.lastIndexOf('/');
  return { app: path.slice(0, slash), stream: path.slice(slash + 1) };
}
