import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';
import { type CardPhase, CardVisibility } from './card-visibility.ts';

const isWatching = typeof IntersectionObserver !== 'undefined';
let watch: CardVisibility | undefined;

/** How far a card is from what somebody sees; what it is taken for until that is known. */
export function useCardPhase(element: RefObject<HTMLElement | null>, first: CardPhase): CardPhase {
  const [distance, setDistance] = useState<CardPhase>(isWatching ? first : 'near');
  const begun = useRef(first);
  useEffect(() => {
    const target = element.current;
    if (!target || !isWatching) return;
    watch ??= new CardVisibility();
    // Scrolling goes on while cards are drawn.
    return watch.add(target, begun.current, (next) => startTransition(() => setDistance(next)));
  }, [element]);
  return distance;
}
