import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Links such as `#disk` scroll to what they name and put the focus there, also when it is drawn a little later. */
export function useHashTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again goes there again
  useEffect(() => {
    if (hash === '') return;
    const go = () => {
      const target = document.getElementById(hash.slice(1));
      target?.scrollIntoView({ block: 'start' });
      target?.focus({ preventScroll: true });
      return target !== null;
    };
    if (go()) return;
    const watch = new MutationObserver(() => {
      if (go()) watch.disconnect();
    });
    watch.observe(document.body, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [hash, key]);
}
