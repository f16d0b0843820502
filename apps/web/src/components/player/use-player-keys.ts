import { type RefObject, useEffect, useRef } from 'react';

/** Actions by key, in lower case. */
type PlayerKeys = Readonly<Record<string, () => void>>;

/** Keyboard shortcuts of a player. Ignores keys typed into fields, pressed on buttons that use them, or meant for another player. */
export function usePlayerKeys(frame: RefObject<HTMLElement | null>, keys: PlayerKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const act = latest.current[key.toLowerCase()];
      if (!act || ctrlKey || metaKey || altKey || event.defaultPrevented || !(target instanceof HTMLElement)) return;
      if (target.closest('input:not([type="range"]), textarea, select, [contenteditable], dialog')) return;
      if (key === ' ' && target.closest('button, a, summary')) return;
      if (key.startsWith('Arrow') && target.closest('input')) return;
      if (target !== document.body && !frame.current?.contains(target)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [frame]);
}
