import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels for a second of film. */
const zooms = [5, 12, 30, 60, 120, 240] as const;
const usualZoom = 2;

interface View {
  /** Pixels. */
  readonly left: number;
  readonly width: number;
}

/** The part of a film that a timeline shows: how much of it, and where. */
export function useTimelineView(scroller: RefObject<HTMLDivElement | null>) {
  const [zoom, setZoom] = useState(usualZoom);
  const [view, setView] = useState<View>({ left: 0, width: 0 });
  const pixelsPerSecond = zooms[zoom] ?? zooms[usualZoom];
  /** The second that stays where it is, and at which pixel. */
  const kept = useRef<{ seconds: number; x: number }>(undefined);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setView({ left: box.scrollLeft, width: box.clientWidth }));
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(look) : undefined;
    sizes?.observe(box);
    return () => {
      cancelAnimationFrame(frame);
      box.removeEventListener('scroll', look);
      sizes?.disconnect();
    };
  }, [scroller]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !kept.current) return;
    const { seconds, x } = kept.current;
    kept.current = undefined;
    box.scrollLeft = seconds * pixelsPerSecond - x;
    setView({ left: box.scrollLeft, width: box.clientWidth });
  }, [scroller, pixelsPerSecond]);

  return {
    view,
    pixelsPerSecond,
    canZoom: { in: zoom < zooms.length - 1, out: zoom > 0 },
    /** Around a second, which stays where it is. */
    zoomBy: (steps: number, seconds: number) => {
      const x = seconds * pixelsPerSecond - view.left;
      const isSeen = x >= 0 && x <= view.width;
      kept.current = isSeen ? { seconds, x } : { seconds: view.left / pixelsPerSecond, x: 0 };
      setZoom(Math.max(0, Math.min(zooms.length - 1, zoom + steps)));
    },
  };
}
