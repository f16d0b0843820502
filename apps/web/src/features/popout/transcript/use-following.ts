import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Reading further down than this is reading the newest. */
const nearPx = 40;

interface Following {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Scrolled back: new messages do not move what is being read. */
  readonly isBack: boolean;
  readonly onScroll: () => void;
  readonly toNewest: () => void;
}

/** A list that stays at its newest end until somebody scrolls back. `news` changes with what is in it. */
export function useFollowing(news: unknown): Following {
  const box = useRef<HTMLDivElement>(null);
  const [isBack, setIsBack] = useState(false);
  const toNewest = useCallback(() => {
    const list = box.current;
    if (list) list.scrollTop = list.scrollHeight;
    setIsBack(false);
  }, []);
  const onScroll = useCallback(() => {
    const list = box.current;
    if (list) setIsBack(list.scrollHeight - list.scrollTop - list.clientHeight > nearPx);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news only say when
  useLayoutEffect(() => {
    if (!isBack) toNewest();
  }, [news, isBack, toNewest]);
  return { box, isBack, onScroll, toNewest };
}
