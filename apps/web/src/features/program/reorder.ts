import { type KeyboardEvent, type PointerEvent, useState } from 'react';

interface Options {
  /** Number of items that can be moved, from the first. */
  readonly count: number;
  readonly onMove: (from: number, to: number) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves items of a list: by dragging their handle, on touch screens too, or by the arrow keys on it. */
export function useReorder({ count, onMove }: Options) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly over: number }>();
  const move = (from: number, to: number) => {
    if (to >= 0 && to < count && to !== from) onMove(from, to);
  };
  const placeAt = ({ clientX, clientY }: PointerEvent) => {
    const item = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-place]');
    const place = Number(item?.dataset.place ?? Number.NaN);
    return place < count ? place : undefined;
  };
  return {
    /** Props of an item. */
    item: (place: number) => ({
      'data-place': place,
      'data-dragged': drag?.from === place || undefined,
      'data-target': (drag && drag.over === place && drag.from !== place) || undefined,
    }),
    /** Props of the button that moves an item. */
    handle: (place: number) => ({
      onKeyDown: (event: KeyboardEvent) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(place, place + step);
      },
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: place, over: place });
      },
      onPointerMove: (event: PointerEvent) => {
        const over = drag && placeAt(event);
        if (drag && over !== undefined && over !== drag.over) setDrag({ ...drag, over });
      },
      onPointerUp: () => {
        if (drag) move(drag.from, drag.over);
        setDrag(undefined);
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  };
}

/** Undefined for an item that cannot be moved. */
export type HandleProps = ReturnType<ReturnType<typeof useReorder>['handle']> | undefined;
