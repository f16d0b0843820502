import { queryOptions } from '@tanstack/react-query';
import { accessApi } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import { client } from '../../lib/api.ts';

/** Viewers come and go while somebody looks, and no event tells of them. */
const pollMs = 3000;

const linksKey = ['access', 'links'] as const;

export const accessKey = ['access'] as const;

export const accessRulesQuery = queryOptions({
  queryKey: ['access', 'rules'],
  queryFn: async ({ signal }) => (await client.call(accessApi.query, {}, { signal })).rules,
});

export const linksQuery = (stream: WirePlace) =>
  queryOptions({
    queryKey: [...linksKey, placeText(stream)],
    queryFn: async ({ signal }) => (await client.call(accessApi.links, stream, { signal })).links,
    refetchInterval: pollMs,
  });
