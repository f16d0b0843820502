import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Follows links to panels of the specification, such as `#panel-1`, once per visit and not before the page is ready. */
export function usePanelLink(follow: (key: string) => void, isReady = true): void {
  const { hash, key } = useLocation();
  const panel = /^#panel-(.+)$/.exec(hash)?.[1];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is followed once per visit
  useEffect(() => {
    if (panel !== undefined && isReady) follow(panel);
  }, [panel, key, isReady]);
}
