import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';
import { CardWatch, type Distance } from './card-watch.ts';

const isWatching = typeof IntersectionObserver !== 'undefined';
let watch: CardWatch | undefined;

/** How far a card is from what somebody sees; what it is taken for until that is known. */
export function useDistance(element: RefObject<HTMLElement | null>, first: Distance): Distance {
  const [distance, setDistance] = useState<Distance>(isWatching ? first : 'near');
  const begun = useRef(first);
  useEffect(() => {
    const target = element.current;
    if (!target || !isWatching) return;
    watch ??= new CardWatch();
    // Scrolling goes on while cards are drawn.
    return watch.add(target, begun.current, (next) => startTransition(() => setDistance(next)));
  }, [element]);
  return distance;
}
