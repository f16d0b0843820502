import { queryOptions } from '@tanstack/react-query';
import { limits, streamsApi } from '@weir/contract';
import { defaultVhost, type WirePlace } from '@weir/dialect';
import { client } from '../../lib/api.ts';

/** What lets the console show a stream without being counted as a viewer. `publisher`: after a restart of the server an old one is worth nothing. */
export const previewQuery = ({ vhost, app, stream }: WirePlace, publisher = '') =>
  queryOptions({
    queryKey: ['stream-preview', vhost, app, stream, publisher],
    queryFn: ({ signal }) => client.call(streamsApi.preview, { vhost, app, stream }, { signal }),
    staleTime: limits.previewMs / 2,
    // Without it the picture plays all the same, and is counted.
    retry: false,
    meta: { quiet: true },
  });

/** `app/name` on the usual vhost; the app may have several levels. */
export function parseStreamPath(path: string): WirePlace {
  const slash = path.lastIndexOf('/');
  return { vhost: defaultVhost, app: path.slice(0, slash), stream: path.slice(slash + 1) };
}
