import { createContext, useContext, useState } from 'react';
import { type Location, useLocation } from 'react-router';
import type { ScreenId } from '../lib/feature.ts';
import { findScreen } from './screens.ts';

/** Screens kept mounted, with their last address; includes the current one. */
export type VisitedScreens = ReadonlyMap<ScreenId, Location>;

export const VisitedScreensContext = createContext<VisitedScreens>(new Map());

export function useVisitedScreens(screen: ScreenId): VisitedScreens {
  const location = useLocation();
  const [visited, setVisited] = useState<VisitedScreens>(new Map());
  if (!findScreen(screen).isKept || visited.get(screen) === location) return visited;
  const next = new Map(visited).set(screen, location);
  setVisited(next);
  return next;
}

/** Last query of a screen, so that its link restores the state. */
export function useLastQuery(): (screen: ScreenId) => string {
  const visited = useContext(VisitedScreensContext);
  return (screen) => visited.get(screen)?.search ?? '';
}
