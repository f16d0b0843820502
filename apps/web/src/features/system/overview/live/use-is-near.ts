import { type RefObject, startTransition, useEffect, useState } from 'react';

/** So far out of view something is drawn already, so that nobody who scrolls sees it come. */
const margin = '600px 0px';

/** Whether an element is in view or nearly so: a hundred cards need not be drawn for the few that are seen. */
export function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const target = element.current;
    if (!target || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isIntersecting = entries.at(-1)?.isIntersecting ?? false;
        // Scrolling goes on while cards are drawn.
        startTransition(() => setIsNear(isIntersecting));
      },
      { rootMargin: margin },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
