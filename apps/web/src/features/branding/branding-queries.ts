import { queryOptions, useQuery } from '@tanstack/react-query';
import { brandingApi, product } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }) => client.call(brandingApi.query, {}, { signal, authorized: false }),
  staleTime: 60_000,
});

export function useSiteTitle(): string {
  return useQuery(brandingQuery).data?.title || product.name;
}
