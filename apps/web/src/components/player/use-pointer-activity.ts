import { type RefObject, useEffect, useState } from 'react';

const restMs = 2500;

/** True for a moment after pointer movement over an element. */
export function usePointerActivity(element: RefObject<HTMLElement | null>): boolean {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => setIsActive(false);
    const wake = () => {
      setIsActive(true);
      clearTimeout(timer);
      timer = setTimeout(rest, restMs);
    };
    target.addEventListener('pointermove', wake);
    target.addEventListener('pointerdown', wake);
    target.addEventListener('pointerleave', rest);
    return () => {
      clearTimeout(timer);
      target.removeEventListener('pointermove', wake);
      target.removeEventListener('pointerdown', wake);
      target.removeEventListener('pointerleave', rest);
    };
  }, [element]);
  return isActive;
}
