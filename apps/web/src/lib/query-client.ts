import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient, retryDelayMs } from './api.ts';
import { dismissActionError, reportError } from './errors/error-report.ts';
import { reportFailingQueries } from './errors/failing-queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The component shows the failure itself, or it does not matter. */
      quiet?: boolean;
      /** An expired session ends at once, whatever else is on the page. */
      endsSession?: boolean;
    };
    mutationMeta: {
      /** Failures that the form explains itself, so that no banner is shown. */
      handles?: (error: unknown) => boolean;
    };
  }
}

/**
 * Failed queries keep their last data and retry, so that pages stay filled while the server restarts. Failures are reported above the page.
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
      // The retry succeeded, or the user moved on to something that did.
      onSuccess: dismissActionError,
    }),
    defaultOptions: {
      // The server may be on a LAN without internet, so the browser's online state is ignored.
      queries: {
        networkMode: 'always',
        // Hidden pages have no observers but still need their data: a form would unmount and lose what was typed.
        gcTime: Number.POSITIVE_INFINITY,
        retry: (_failures, error) => isTransient(error),
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
