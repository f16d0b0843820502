import { queryOptions } from '@tanstack/react-query';
import { overviewApi, overviewTimes } from '@weir/contract';
import type { WirePlace } from '@weir/dialect';
import { client } from '../../../../lib/api.ts';
import { whileSignedIn } from '../../../../lib/queries/while-signed-in.ts';

/** A picture of a stream, or why there is none. Fetched with the credential in a header, which an address in a page could not carry. */
export const thumbnailQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['thumbnail', vhost, app, stream],
    queryFn: ({ signal }) => client.picture(overviewApi.thumbnail, { vhost, app, stream }, { signal }),
    refetchInterval: whileSignedIn(overviewTimes.thumbnailMs),
    staleTime: overviewTimes.thumbnailMs,
    // A hundred pictures of streams that nobody looks at any more would only take memory.
    gcTime: 2 * overviewTimes.thumbnailMs,
    retry: false,
    meta: { quiet: true },
  });
