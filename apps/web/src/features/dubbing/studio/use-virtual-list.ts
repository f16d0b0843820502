import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

interface Options {
  readonly keys: readonly string[];
  /** Height in pixels of an unmeasured row. A new estimate discards all measurements. */
  readonly estimate: number;
}

interface VirtualList {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Height of all rows in pixels. */
  readonly height: number;
  /** Rows to render. */
  readonly rows: readonly { readonly index: number; readonly top: number }[];
  /** Ref for every row element, which carries its key as `data-row`. */
  readonly measure: (row: HTMLElement | null) => (() => void) | undefined;
  /** Scrolls a row into view with up to `above` rows before it. */
  readonly show: (index: number, above: number) => void;
}

const beyondPixels = 600;
const firstHeight = 800;

/**
 * Renders only the visible rows of a long list. Rows may differ in height; measuring rows above the view moves nothing
 * in it.
 */
export function useVirtualList({ keys, estimate }: Options): VirtualList {
  const scroller = useRef<HTMLDivElement>(null);
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const [view, setView] = useState({ top: 0, height: firstHeight });
  const [measuredWith, setMeasuredWith] = useState(estimate);
  if (measuredWith !== estimate) {
    setMeasuredWith(estimate);
    setHeights(new Map());
  }
  const offsets = useMemo(() => rowOffsets(keys, heights, estimate), [keys, heights, estimate]);
  const latest = useRef({ keys, offsets });
  useLayoutEffect(() => {
    latest.current = { keys, offsets };
  });

  const [sizes] = useState(
    () => typeof ResizeObserver === 'function' && new ResizeObserver((entries) => onSizes(entries)),
  );
  const onSizes = useCallback((entries: readonly ResizeObserverEntry[]) => {
    const seen = entries.flatMap(({ target }) => {
      const { row } = (target as HTMLElement).dataset;
      const height = target.getBoundingClientRect().height;
      return row && height > 0 ? [[row, height] as const] : [];
    });
    setHeights((before) => {
      const changed = seen.filter(([key, height]) => Math.abs((before.get(key) ?? 0) - height) > 0.5);
      return changed.length === 0 ? before : new Map([...before, ...changed]);
    });
  }, []);
  const measure = useCallback(
    (row: HTMLElement | null) => {
      if (!row || !sizes) return;
      sizes.observe(row);
      return () => sizes.unobserve(row);
    },
    [sizes],
  );

  // Keeps the first visible row in place when rows above it are measured.
  const anchor = useRef<{ key: string | undefined; within: number }>({ key: undefined, within: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    const { key, within } = anchor.current;
    const index = key === undefined ? -1 : keys.indexOf(key);
    const top = offsets[index];
    if (box && top !== undefined && Math.abs(top + within - box.scrollTop) > 1) box.scrollTop = top + within;
  }, [keys, offsets]);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => {
      const { keys: now, offsets: places } = latest.current;
      const top = box.scrollTop;
      const { first } = visibleRange(places, top, 0, 0);
      anchor.current = { key: top === 0 ? undefined : now[first], within: top - (places[first] ?? 0) };
      setView({ top, height: box.clientHeight || firstHeight });
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      box.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, []);

  const show = useCallback((index: number, above: number) => {
    const box = scroller.current;
    if (!box) return;
    const top = scrollTopFor(latest.current.offsets, index, above, box.clientHeight || firstHeight);
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const isFar = Math.abs(top - box.scrollTop) > 2 * (box.clientHeight || firstHeight);
    box.scrollTo?.({ top, behavior: isCalm || isFar ? 'auto' : 'smooth' });
  }, []);

  const { first, last } = visibleRange(offsets, view.top, view.height, beyondPixels);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, n) => ({
    index: first + n,
    top: offsets[first + n] ?? 0,
  }));
  return { scroller, height: offsets.at(-1) ?? 0, rows, measure, show };
}

/** Offset of each row, followed by the end of the last one. */
export function rowOffsets(
  keys: readonly string[],
  heights: ReadonlyMap<string, number>,
  estimate: number,
): readonly number[] {
  const offsets = [0];
  let sum = 0;
  for (const key of keys) {
    sum += heights.get(key) ?? estimate;
    offsets.push(sum);
  }
  return offsets;
}

/** Rows from `first` to before `last` that are visible or within `beyond` pixels. */
export function visibleRange(offsets: readonly number[], top: number, height: number, beyond: number) {
  const rows = offsets.length - 1;
  const first = Math.max(0, Math.min(rows - 1, lastBefore(offsets, top - beyond)));
  const last = Math.min(rows, lastBefore(offsets, top + height + beyond) + 1);
  return { first, last };
}

/** Scroll position that shows a row with up to `above` rows before it, within the upper two thirds of the view. */
export function scrollTopFor(offsets: readonly number[], index: number, above: number, height: number): number {
  const end = offsets[index + 1] ?? 0;
  let first = Math.max(0, index - above);
  while (first < index && end - (offsets[first] ?? 0) > height * 0.67) first += 1;
  return offsets[first] ?? 0;
}

/** Finds the last offset at or before this pixel. */
function lastBefore(offsets: readonly number[], pixel: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= pixel) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
