import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, retryDelayMs } from './api.ts';
import { dismissError, reportError } from './error-report.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The failure shows beside the data or not at all; it is no banner. */
      quiet?: boolean;
    };
    mutationMeta: {
      /** Failures the form itself explains at the field; they are no banner. */
      handles?: (error: unknown) => boolean;
    };
  }
}

/**
 * A failed query keeps its last data and asks again by itself, so a page never loses what it shows while the server
 * restarts. A failed action is told above the page; nothing typed is touched.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.quiet) reportError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.handles?.(error)) reportError(error);
      },
      // What failed before has now succeeded, or the person went on to something else that did.
      onSuccess: dismissError,
    }),
    defaultOptions: {
      // The server may stand in the same room without any internet: what the browser thinks of the network is no guide.
      queries: {
        networkMode: 'always',
        retry: (_failures, error) => isPassing(error),
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
