import { queryOptions } from '@tanstack/react-query';
import { limits, streamsApi } from '@weir/contract';
import { defaultVhost, type WirePlace } from '@weir/streams';
import { client } from '../../lib/api.ts';

/**
 * Token that plays a stream without counting as a viewer. `publisher` is part of the key, because tokens do not survive a server restart.
 */
export const previewQuery = ({ vhost, app, stream }: WirePlace, publisher = '') =>
  queryOptions({
    queryKey: ['stream-preview', vhost, app, stream, publisher],
    queryFn: ({ signal }) => client.call(streamsApi.preview, { vhost, app, stream }, { signal }),
    staleTime: limits.previewMs / 2,
    // Playback works without a token, but counts as a viewer.
    retry: false,
    meta: { quiet: true },
  });

/** `app/name` on the default vhost; the app may have several levels. */
export function parseStreamPath(path: string): WirePlace {
  const slash = path.lastIndexOf('/');
  return { vhost: defaultVhost, app: path.slice(0, slash), stream: path.slice(slash + 1) };
}
