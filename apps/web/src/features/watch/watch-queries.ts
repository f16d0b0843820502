import { queryOptions } from '@tanstack/react-query';
import { watchPageApi } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import { client } from '../../lib/api.ts';

export const watchPageQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['watch', 'page', placeText({ vhost, app, stream })],
    queryFn: ({ signal }) => client.call(watchPageApi.query, { vhost, app, stream }, { signal }),
  });

export const channelQuery = queryOptions({
  queryKey: ['watch', 'channel'],
  queryFn: ({ signal }) => client.call(watchPageApi.channel, {}, { signal }),
});
