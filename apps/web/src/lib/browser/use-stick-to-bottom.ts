import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Distance from the end that counts as being at the end. */
const nearPx = 40;

interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  /** The user has scrolled up, so new messages must not move the view. */
  readonly isBack: boolean;
  readonly onScroll: () => void;
  readonly toNewest: () => void;
}

/**
 * Keeps a list at its end until the user scrolls up. `news` are values that change with the content; `own` identifies
 * the latest own utterance, which always scrolls down.
 */
export function useStickToBottom(news: readonly unknown[], own: string | undefined): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isBack, setIsBack] = useState(false);
  const toNewest = useCallback(() => {
    const list = box.current;
    if (list) list.scrollTop = list.scrollHeight;
    setIsBack(false);
  }, []);
  const onScroll = useCallback(() => {
    const list = box.current;
    if (!list) return;
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight <= nearPx;
    // A shrinking list must not count as scrolled up.
    if (isNear) setIsBack(false);
    else if (list.scrollTop < lastTop.current) setIsBack(true);
    lastTop.current = list.scrollTop;
  }, []);
  useLayoutEffect(() => {
    if (!isBack) toNewest();
  }, [...news, isBack, toNewest]);
  useLayoutEffect(() => {
    if (own !== undefined) toNewest();
  }, [own, toNewest]);
  useEffect(() => {
    const list = box.current;
    if (!list || isBack) return;
    const size = new ResizeObserver(toNewest);
    size.observe(list);
    return () => size.disconnect();
  }, [isBack, toNewest]);
  return { box, isBack, onScroll, toNewest };
}
