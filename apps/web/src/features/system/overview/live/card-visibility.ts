import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';
import { isScrollIdle, onScrollIdle } from '../../../../lib/scroll-idle.ts';

/** `far`: only the name is rendered. `kept`: rendered, but not updated. `near`: visible or almost, and updated. */
type CardPhase = 'far' | 'kept' | 'near';

interface Watched {
  phase: CardPhase;
  isNear: boolean;
  readonly onMove: (phase: CardPhase) => void;
}

/** Distance at which a card updates already, so that a short scroll shows no loading. */
const margin = '150px 0px';
/** Above this number, cards are rendered only when they come near. */
const mostAhead = 200;
const atOnce = 4;

/**
 * Tracks how far each card is from the viewport. Only near cards follow their streams; far ones are rendered when the
 * page is idle, and none changes while the page scrolls.
 */
export class CardVisibility {
  readonly #cards = new Map<Element, Watched>();
  readonly #observer = new IntersectionObserver((entries) => this.#onIntersect(entries), { rootMargin: margin });
  #leaveStillness: (() => void) | undefined;
  #isDrawing = false;

  /** Returns a function that stops watching. */
  add(element: Element, phase: CardPhase, onMove: Watched['onMove']): () => void {
    this.#leaveStillness ??= onScrollIdle(() => this.#update());
    this.#cards.set(element, { phase, isNear: phase === 'near', onMove });
    this.#observer.observe(element);
    return () => {
      this.#observer.unobserve(element);
      this.#cards.delete(element);
      if (this.#cards.size > 0) return;
      this.#leaveStillness?.();
      this.#leaveStillness = undefined;
    };
  }

  #onIntersect(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const card = this.#cards.get(target);
      if (card) card.isNear = isIntersecting;
    }
    this.#update();
  }

  #update(): void {
    for (const card of this.#cards.values()) {
      const isDrawn = card.phase !== 'far';
      if (isScrollIdle()) move(card, card.isNear ? 'near' : isDrawn ? 'kept' : 'far');
      else if (card.isNear && !isDrawn) move(card, 'kept');
    }
    this.#drawAhead();
  }

  #drawAhead(): void {
    if (this.#isDrawing || this.#cards.size > mostAhead) return;
    const waiting = [...this.#cards.values()].filter(({ phase }) => phase === 'far').slice(0, atOnce);
    if (waiting.length === 0) return;
    this.#isDrawing = true;
    whenIdle(() => {
      this.#isDrawing = false;
      if (isScrollIdle()) for (const card of waiting) if (card.phase === 'far') move(card, 'kept');
      this.#drawAhead();
    });
  }
}

function move(card: Watched, phase: CardPhase): void {
  if (card.phase === phase) return;
  card.phase = phase;
  card.onMove(phase);
}

function whenIdle(act: () => void): void {
  // Safari lacks `requestIdleCallback`.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act);
  else setTimeout(act, 50);
}

const isWatching = typeof IntersectionObserver !== 'undefined';
let watch: CardVisibility | undefined;

/** Phase of a card by its distance from the viewport; `first` applies until it is known. */
export function useCardPhase(element: RefObject<HTMLElement | null>, first: CardPhase): CardPhase {
  const [phase, setPhase] = useState<CardPhase>(isWatching ? first : 'near');
  const begun = useRef(first);
  useEffect(() => {
    const target = element.current;
    if (!target || !isWatching) return;
    watch ??= new CardVisibility();
    // A transition keeps scrolling smooth while cards render.
    return watch.add(target, begun.current, (next) => startTransition(() => setPhase(next)));
  }, [element]);
  return phase;
}
