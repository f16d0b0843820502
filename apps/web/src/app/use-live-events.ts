import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EventFeed } from '../lib/events/event-feed.ts';

/** Hears the news while somebody is signed in and the page is in view. A page that comes back hears what it missed. */
export function useLiveEvents(token: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === undefined) return;
    const feed = new EventFeed(queries);
    let listening: AbortController | undefined;
    const follow = () => {
      listening?.abort();
      listening = document.visibilityState === 'visible' ? new AbortController() : undefined;
      if (listening) void asOnlyWindow(listening.signal, (signal) => feed.run(signal));
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      listening?.abort();
    };
  }, [token, queries]);
}

/**
 * A browser opens six connections to a server at a time, and an open stream takes one: a seventh window would hear nothing of anything.
 * So one window hears the news and the others ask, where windows can agree (over HTTPS, and on the machine itself).
 */
async function asOnlyWindow(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const locks: LockManager | null | undefined = navigator.locks;
  if (!locks) return run(signal);
  // Rejects only when it is no longer wanted.
  return locks.request('weir-news', { signal }, () => run(signal)).catch(() => undefined);
}
