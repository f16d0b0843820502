import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NewsFeed } from '../lib/news/news-feed.ts';

/** Hears the news while somebody is signed in and the page is in view. A page that comes back hears what it missed. */
export function useNews(token: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === undefined) return;
    const feed = new NewsFeed(queries);
    let listening: AbortController | undefined;
    const follow = () => {
      listening?.abort();
      listening = document.visibilityState === 'visible' ? new AbortController() : undefined;
      if (listening) void feed.run(listening.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      listening?.abort();
    };
  }, [token, queries]);
}
