import { queryOptions } from '@tanstack/react-query';
import { type ActiveStream, consoleTimes, measurementsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { whileSignedIn } from '../../lib/queries/while-signed-in.ts';

/** A stream with what is wrong with it. Quiet: whether the server answers at all is told by the list it stands in. */
export const streamDetailQuery = ({ vhost, app, stream }: Pick<ActiveStream, 'vhost' | 'app' | 'stream'>) =>
  queryOptions({
    queryKey: ['streams', 'detail', vhost, app, stream],
    queryFn: ({ signal }) => client.call(measurementsApi.detail, { vhost, app, stream }, { signal }),
    refetchInterval: whileSignedIn(consoleTimes.healthPollMs),
    meta: { quiet: true },
  });
