import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient, retryDelayMs } from './api.ts';
import { dismissActionError, reportError } from './errors/error-report.ts';
import { reportFailingQueries } from './errors/failing-queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The failure shows in its own place or not at all; it is no alert. */
      quiet?: boolean;
      /** A sign-in that has ended is told at once and leads out, whatever else is on the page. */
      endsSession?: boolean;
    };
    mutationMeta: {
      /** Failures the form itself explains at the field; they are no banner. */
      handles?: (error: unknown) => boolean;
    };
  }
}

/**
 * A failed query keeps its last data and asks again by itself, so a page never loses what it shows while the server
 * restarts. What fails is told above the page; nothing typed is touched.
 */
export function createQueryClient(): QueryClient {
  const queryCache = new QueryCache();
  reportFailingQueries(queryCache);
  return new QueryClient({
    queryCache,
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.handles?.(error)) reportError(error);
      },
      // What failed before has now succeeded, or the person went on to something else that did.
      onSuccess: dismissActionError,
    }),
    defaultOptions: {
      // The server may stand in the same room without any internet: what the browser thinks of the network is no guide.
      queries: {
        networkMode: 'always',
        // Pages out of sight ask for nothing, and yet must find what they were drawn from: without it a form would go,
        // and with it what was typed.
        gcTime: Number.POSITIVE_INFINITY,
        retry: (_failures, error) => isTransient(error),
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
