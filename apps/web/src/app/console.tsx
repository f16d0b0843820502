import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { useSiteTitle } from '../features/branding/branding-queries.ts';
import { useCredentials, useSessionGeneration } from '../lib/credentials.ts';
import { dismissActionError } from '../lib/errors/error-report.ts';
import { switchLanguage, useLocale } from '../lib/i18n.ts';
import { KeepAliveContext } from '../lib/keep-alive-context.ts';
import { statusQuery } from '../lib/queries/system-queries.ts';
import { KeepAliveScreens } from './keep-alive-screens.tsx';
import { isPopout, parseAddress, type Screen, selectScreen } from './routing.ts';
import { preloadScreens } from './screens.ts';
import { BareShell, Shell } from './shell/shell.tsx';
import { useEndedSession } from './use-ended-session.ts';
import { useLiveEvents } from './use-live-events.ts';
import { useVisitedScreens, VisitedScreensContext } from './visited-screens.ts';

/** Turns the address into a screen. The screen alone decides what is mounted, so a change of language keeps the page. */
export function Console() {
  const location = useLocation();
  const language = useLocale();
  const credentials = useCredentials();
  const desk = useSessionGeneration();
  const isInitialised = useQuery(initStateQuery).data?.init === true;
  const place = parseAddress(location, language);
  const wantedLanguage = place.kind === 'place' ? place.locale : language;

  const route = place.kind === 'place' ? place.route : undefined;
  useDocumentTitle();
  useDismissErrorsOnLeave(route);
  useEndedSession();
  useRefetchStatusOnSignIn(credentials?.token);
  useLiveEvents(credentials?.token);
  useEffect(() => {
    if (wantedLanguage !== language) void switchLanguage(wantedLanguage);
  }, [wantedLanguage, language]);

  if (place.kind === 'redirect') return <Navigate to={place.to} replace />;
  const screen = selectScreen(place.route, { initialised: isInitialised, signedIn: credentials !== undefined });
  return <SessionScreens key={desk} screen={screen} isInitialised={isInitialised} isBare={isPopout(location.search)} />;
}

/** Everything one person has open; whoever comes after signing out gets another. */
function SessionScreens({
  screen,
  isInitialised,
  isBare,
}: {
  screen: Screen;
  isInitialised: boolean;
  isBare: boolean;
}) {
  const visited = useVisitedScreens(screen);
  useDropInactiveQueries(useSessionGeneration());
  const content = <KeepAliveScreens screen={screen} visited={visited} />;
  if (isBare) return <BareShell>{content}</BareShell>;
  return (
    <VisitedScreensContext value={visited}>
      <KeepAliveContext value={visited.size > 0}>
        <Shell isInitialised={isInitialised}>{content}</Shell>
      </KeepAliveContext>
    </VisitedScreensContext>
  );
}

/** A failure belongs to the page it happened on; it goes when the person leaves that page. */
function useDismissErrorsOnLeave(route: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route only says when
  useEffect(() => dismissActionError, [route]);
}

/** What the pages of the desk before were told goes with them. */
function useDropInactiveQueries(desk: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    // Before the first there was none; what is known by now was asked for this one.
    if (desk > 0) queries.removeQueries({ type: 'inactive' });
  }, [queries, desk]);
}

function useDocumentTitle(): void {
  const title = useSiteTitle();
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A new sign-in, also one made in another tab, makes the last status an answer to somebody else's question. */
function useRefetchStatusOnSignIn(token: string | undefined): void {
  const queries = useQueryClient();
  const last = useRef(token);
  useEffect(() => {
    if (token === undefined) return;
    if (token !== last.current) void queries.invalidateQueries({ queryKey: statusQuery.queryKey });
    last.current = token;
    return preloadScreens();
  }, [token, queries]);
}
