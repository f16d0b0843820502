import { createContext, useContext, useState } from 'react';
import { type Location, useLocation } from 'react-router';
import type { Screen } from './routing.ts';

/** Where people type and look around. Entry pages start afresh each time. */
const kept: readonly Screen[] = ['scenario', 'settings', 'components', 'contact'];

/** Screens that stay as they were left, with the address each was left at; the one being shown is among them. */
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

/** The query a screen was left with, so that its link returns there. */
export function useLastQuery(): (screen: Screen) => string {
  const visited = useContext(VisitedScreensContext);
  return (screen) => visited.get(screen)?.search ?? '';
}
