import type { WatchedStream } from '@weir/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { saveToken } from './page-data.ts';
import { nextLookMs, type Stage, stageOf } from './stage/stage.ts';
import { describe } from './watch-calls.ts';

interface Watching {
  readonly watched: WatchedStream;
  readonly stage: Stage;
  readonly token: string;
  readonly setToken: (token: string) => void;
  /** Asks the server at once. */
  readonly look: () => Promise<void>;
}

interface Options {
  readonly initial: WatchedStream;
  readonly initialToken: string;
  /** Kind of source that plays. */
  readonly kind: string | undefined;
  /** Shows settings instead of the stream. */
  readonly isPreview: boolean;
}

/** State of the stream and of this viewer from the server, kept up to date. */
export function useWatched({ initial, initialToken, kind, isPreview }: Options): Watching {
  const [watched, setWatched] = useState(initial);
  const [wasLive, setWasLive] = useState(initial.isLive);
  const [token, setToken] = useState(initialToken);
  const [nowMs, setNowMs] = useState(Date.now);
  const { playback } = initial;
  const stage = stageOf({ watched, wasLive, nowMs });
  const current = useRef(token);
  current.current = token;

  const look = useCallback(async () => {
    const asked = current.current;
    // While the server restarts nothing is known to have changed.
    const answer = await describe(playback, asked).catch(() => undefined);
    setNowMs(Date.now());
    if (!answer || asked !== current.current) return;
    setWatched(answer);
    if (answer.isLive) setWasLive(true);
  }, [playback]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer starts the next wait
  useEffect(() => {
    if (isPreview) return;
    const timer = setTimeout(
      () => {
        if (document.hidden && stage !== 'play') setNowMs(Date.now());
        else look();
      },
      nextLookMs({ watched, stage, kind, nowMs: Date.now() }),
    );
    return () => clearTimeout(timer);
  }, [watched, nowMs, stage, kind, look, isPreview]);

  // A viewer that has just started to play is counted now.
  useEffect(() => {
    if (kind === undefined || !watched.page.showsViewers) return;
    const timer = setTimeout(look, 1500);
    return () => clearTimeout(timer);
  }, [kind, watched.page.showsViewers, look]);

  useEffect(() => {
    const onShown = () => {
      if (!document.hidden && !isPreview) look();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [look, isPreview]);

  const useToken = useCallback(
    (next: string) => {
      current.current = next;
      saveToken(playback, next);
      setToken(next);
      look();
    },
    [playback, look],
  );
  return { watched, stage, token, setToken: useToken, look };
}
