import { queryOptions } from '@tanstack/react-query';
import { hlsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const deliveryQuery = queryOptions({
  queryKey: ['hls', 'delivery'],
  queryFn: ({ signal }) => client.call(hlsApi.queryDelivery, {}, { signal }),
});

export const latencyQuery = queryOptions({
  queryKey: ['hls', 'latency'],
  queryFn: ({ signal }) => client.call(hlsApi.queryLatency, {}, { signal }),
});
