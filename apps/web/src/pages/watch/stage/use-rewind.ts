import type { WatchedStream } from '@weir/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { OpenPlayback } from '../../../components/player/playback/playback.ts';
import { openRewoundHls } from '../../../components/player/playback/rewound-playback.ts';
import type { RewindControl } from '../../../components/player/rewind-bar.tsx';

interface Player {
  readonly play: () => void;
  readonly pause: () => void;
  readonly dateMs: () => number | undefined;
  readonly seekToDate: (dateMs: number) => void;
}

interface Rewinding {
  /** True while the past is shown instead of the live stream. */
  readonly isBack: boolean;
  /** True for a viewer who left the live stream for its past. */
  readonly hasGoneBack: boolean;
  /** Plays the past from the date that was chosen. */
  readonly open: OpenPlayback;
  /** Undefined for a stream that cannot be rewound. */
  readonly controlOf: (player: Player, video: HTMLVideoElement | null) => RewindControl | undefined;
  /** True at the end of a replay. */
  readonly isOver: boolean;
}

const tickMs = 250;
const liveTickMs = 1000;
/** Longest distance behind live at which a fast viewer has caught up. */
const edgeMs = 30_000;
/** The last picture of a replay is less than this before its end. */
const lastMs = 2000;

/** State of rewinding on a watch page: live or the past, and the date that is shown. After the end of the stream there is only the past. */
export function useRewind({ rewind, isLive, startedAt }: WatchedStream): Rewinding {
  const [hasGoneBack, setHasGoneBack] = useState(false);
  const isReplay = !isLive && rewind !== undefined;
  const isBack = hasGoneBack || isReplay;
  // Answers after the end of a stream lack its start.
  const begun = useRef('');
  begun.current = startedAt || begun.current;
  const [dateMs, setDateMs] = useState<number>();
  const [rate, setRate] = useState(1);
  const [nowMs, setNowMs] = useState(Date.now);
  const at = useRef(0);
  const firstMs = rewind ? Date.parse(rewind.from) : 0;
  const beginMs = isReplay ? Math.max(firstMs, Date.parse(begun.current) || 0) : firstMs;
  if (isReplay && dateMs === undefined) at.current = beginMs;
  const endMs = rewind ? Date.parse(rewind.to) : 0;
  const current = useRef<Player>(undefined);
  const element = useRef<HTMLVideoElement>(null);
  // Viewers' clocks are minutes off: dates are the server's.
  const skewMs = useMemo(() => (rewind ? Date.parse(rewind.now) - Date.now() : 0), [rewind]);
  const open = useMemo(() => openRewoundHls(() => at.current), []);
  const applyRate = (next: number) => {
    setRate(next);
    const video = element.current;
    // The default as well: a video that is loaded anew returns to it.
    if (video) video.defaultPlaybackRate = video.playbackRate = next;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: applyRate does the same always
  useEffect(() => {
    if (!rewind) return;
    if (!isBack) setDateMs(undefined);
    const tick = () => {
      setNowMs(Date.now());
      const shown = isBack ? current.current?.dateMs() : undefined;
      if (shown === undefined || Number.isNaN(shown)) return;
      at.current = shown;
      setDateMs(shown);
      const video = element.current;
      if (!video || video.paused || video.readyState >= video.HAVE_FUTURE_DATA) return;
      // The playlist is not marked as complete for a minute, in which the video would wait for more.
      if (isReplay && shown >= endMs - lastMs) current.current?.pause();
      if (!isReplay && video.playbackRate > 1 && Date.now() + skewMs - shown < edgeMs) applyRate(1);
    };
    const timer = setInterval(tick, isBack ? tickMs : liveTickMs);
    return () => clearInterval(timer);
  }, [rewind, isBack, isReplay, skewMs, endMs]);

  const controlOf = (player: Player, video: HTMLVideoElement | null): RewindControl | undefined => {
    current.current = player;
    element.current = video;
    if (!rewind) return undefined;
    const seek = (wanted: number) => {
      at.current = wanted;
      setDateMs(wanted);
      if (!isBack) setHasGoneBack(true);
      else if (player.dateMs() === undefined) player.play();
      else player.seekToDate(wanted);
    };
    const toLive = () => {
      applyRate(1);
      setHasGoneBack(false);
    };
    return {
      fromMs: beginMs,
      toMs: isReplay ? endMs : nowMs + skewMs,
      dateMs: isBack ? (dateMs ?? at.current) : undefined,
      rate,
      seek,
      toLive: isReplay ? undefined : toLive,
      setRate: applyRate,
    };
  };
  return { isBack, hasGoneBack, open, controlOf, isOver: isReplay && dateMs !== undefined && dateMs >= endMs - lastMs };
}
