import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Reading further down than this is reading the newest. */
const nearPx = 40;

interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Scrolled back: new messages do not move what is being read. */
  readonly isBack: boolean;
  readonly onScroll: () => void;
  readonly toNewest: () => void;
}

/** A list that stays at its newest end until somebody scrolls back. One of `news` changes with what is in it, `own` names what was said here last and is not in it yet. */
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
    // A list that becomes shorter is not scrolled back by anybody.
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
