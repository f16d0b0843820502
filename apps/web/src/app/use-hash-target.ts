import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** So long what is above may still be loading, and push it away. */
const settlesMs = 5000;
/** Whoever does one of these looks at something else. */
const gestures = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Links such as `#disk` scroll to what they name and put the focus there, also when it is drawn a little later; it stays in view. */
export function useHashTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again goes there again
  useEffect(() => {
    if (hash === '') return;
    const over = new AbortController();
    const find = () => document.getElementById(hash.slice(1));
    const show = () => void find()?.scrollIntoView({ block: 'start' });
    const grown = new ResizeObserver(show);
    const arrive = () => {
      const target = find();
      if (!target) return false;
      show();
      target.focus({ preventScroll: true });
      grown.observe(document.body);
      for (const name of gestures) addEventListener(name, () => over.abort(), { signal: over.signal, passive: true });
      const timer = setTimeout(() => over.abort(), settlesMs);
      over.signal.addEventListener('abort', () => clearTimeout(timer));
      return true;
    };
    const drawn = new MutationObserver(() => {
      if (arrive()) drawn.disconnect();
    });
    if (!arrive()) drawn.observe(document.body, { childList: true, subtree: true });
    over.signal.addEventListener('abort', () => {
      drawn.disconnect();
      grown.disconnect();
    });
    return () => over.abort();
  }, [hash, key]);
}
