import { createContext, useContext, useState } from 'react';
import { type Location, useLocation } from 'react-router';
import type { Screen } from './routing.ts';

/** Screens with user state. Entry pages always start fresh. */
const kept: readonly Screen[] = ['scenario', 'settings', 'components', 'contact'];

/** Screens kept mounted, with their last address; includes the current one. */
export type VisitedScreens = ReadonlyMap<Screen, Location>;

export const VisitedScreensContext = createContext<VisitedScreens>(new Map());

export function useVisitedScreens(screen: Screen): VisitedScreens {
  const location = useLocation();
  const [visited, setVisited] = useState<VisitedScreens>(new Map());
  if (!kept.includes(screen) || visited.get(screen) === location) return visited;
  const next = new Map(visited).set(screen, location);
  setVisited(next);
  return next;
}

/** Last query of a screen, so that its link restores the state. */
export function useLastQuery(): (screen: Screen) => string {
  const visited = useContext(VisitedScreensContext);
  return (screen) => visited.get(screen)?.search ?? '';
}
