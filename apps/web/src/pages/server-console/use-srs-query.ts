import { useEffect, useState } from 'react';
import { useCredentials } from '../../lib/credentials.ts';
import { readSrs, SrsError } from './srs-api.ts';

/** Delay between a response and the next poll. */
const pauseMs = 3000;

interface Polled<T> {
  readonly data: T | undefined;
  readonly dataUpdatedAt: number;
  readonly failureCount: number;
  readonly isSignedOut: boolean;
}

const nothing = { data: undefined, dataUpdatedAt: 0, failureCount: 0, isSignedOut: false };

/** Polls a path while the page is visible. Failures keep the last data. */
export function useSrsQuery<T>(
  path: string,
  pick: (body: Record<string, unknown>) => T | undefined,
): Polled<T> & {
  refresh: () => void;
} {
  const credentials = useCredentials();
  const [polled, setPolled] = useState<Polled<T>>(nothing);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `pick` belongs to the path; a refresh or sign-in restarts the polling
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (!document.hidden) {
        try {
          const data = pick(await readSrs(path, gone.signal));
          if (gone.signal.aborted) return;
          setPolled({ data, dataUpdatedAt: Date.now(), failureCount: 0, isSignedOut: false });
        } catch (error) {
          if (gone.signal.aborted) return;
          const isSignedOut = error instanceof SrsError && error.status === 401;
          setPolled((last) => ({ ...last, failureCount: last.failureCount + 1, isSignedOut }));
        }
      }
      timer = setTimeout(ask, pauseMs);
    };
    ask();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [path, credentials, round]);

  return { ...polled, refresh: () => setRound((last) => last + 1) };
}
