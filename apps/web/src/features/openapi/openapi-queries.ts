import { queryOptions } from '@tanstack/react-query';
import { authApi, openApiPath } from '@weir/contract';
import type { ApiDocument } from '@weir/contract/openapi';
import { client } from '../../lib/api.ts';

export const apiSecretQuery = queryOptions({
  queryKey: ['api-secret'],
  queryFn: ({ signal }) => client.call(authApi.apiSecret, {}, { signal }),
});

/** The server's own description of its calls. It changes with the version only. */
export const apiDocumentQuery = queryOptions({
  queryKey: ['api-document'],
  queryFn: async ({ signal }): Promise<ApiDocument> => {
    const response = await fetch(openApiPath, { signal, credentials: 'omit' });
    if (!response.ok) throw new Error(`Request failed with status code ${response.status}`);
    return response.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: true,
});
