import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { Activity, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { CrashBoundary } from '../components/ui/feedback/crash-boundary.tsx';
import { CrashNotice } from '../components/ui/feedback/crash-notice.tsx';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { useSiteTitle } from '../features/branding/branding-queries.ts';
import { isSignInEnded } from '../lib/api.ts';
import { useCredentials, useSessionGeneration } from '../lib/credentials.ts';
import { dismissActionError } from '../lib/errors/error-report.ts';
import { EventFeed } from '../lib/events/event-feed.ts';
import { switchLanguage, useLocale } from '../lib/i18n.ts';
import { KeepAliveContext } from '../lib/keep-alive-context.ts';
import { endedSession, paths, useLocalPath } from '../lib/paths.ts';
import { statusQuery } from '../lib/queries/system-queries.ts';
import { isPopout, parseAddress, type Screen, selectScreen } from './routing.ts';
import { preloadScreens, screens } from './screens.ts';
import { BareShell, Shell } from './shell/shell.tsx';
import { useVisitedScreens, type VisitedScreens, VisitedScreensContext } from './visited-screens.ts';

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

/**
 * The screen of the address, and out of sight those visited before: what was typed into them is there on return, also
 * after signing in again. Their polls rest. Each goes on seeing the address it was left at.
 */
function KeepAliveScreens({ screen, visited }: { screen: Screen; visited: VisitedScreens }) {
  return (
    <>
      {[...visited].map(([name, place]) => (
        <Activity key={name} mode={name === screen ? 'visible' : 'hidden'}>
          <Routes location={place}>
            <Route path="*" element={<ScreenContent screen={name} />} />
          </Routes>
        </Activity>
      ))}
      {!visited.has(screen) && <ScreenContent key={screen} screen={screen} />}
    </>
  );
}

function ScreenContent({ screen }: { screen: Screen }) {
  const { Component } = screens[screen];
  return (
    <CrashBoundary fallback={(error, reset) => <CrashNotice error={error} onRetry={reset} />}>
      <Suspense fallback={<PageSkeleton />}>
        <Component />
      </Suspense>
    </CrashBoundary>
  );
}

/** Some queries end an expired session at once, as the specification wants it: an alert, then the way out. */
function useEndedSession(): void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const leave = useEffectEvent((error: ApiError) => {
    window.alert(`${t('errs.endedAlert')}\n${t('errs.code', { code: error.code })}\n${error.message}`);
    navigate(localPath(paths.logout), { state: endedSession });
  });

  useEffect(() => {
    let isLeaving = false;
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || !event.query.meta?.endsSession) return;
      if (event.action.type === 'success') isLeaving = false;
      if (event.action.type !== 'error' || !event.query.isActive()) return;
      const { error } = event.action;
      // Two of them on one page fail together; one alert is enough.
      if (isLeaving || !(error instanceof ApiError) || !isSignInEnded(error)) return;
      isLeaving = true;
      // Not inside the query's own step, which an alert would hold up.
      setTimeout(() => leave(error));
    });
  }, [queries]);
}

/** Hears the news while somebody is signed in and the page is in view. A page that comes back hears what it missed. */
function useLiveEvents(token: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === undefined) return;
    const feed = new EventFeed(queries);
    let listening: AbortController | undefined;
    const follow = () => {
      listening?.abort();
      listening = document.visibilityState === 'visible' ? new AbortController() : undefined;
      if (listening) void asOnlyWindow(listening.signal, (signal) => feed.run(signal));
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      listening?.abort();
    };
  }, [token, queries]);
}

/**
 * A browser opens six connections to a server at a time, and an open stream takes one: a seventh window would hear nothing of anything.
 * So one window hears the news and the others ask, where windows can agree (over HTTPS, and on the machine itself).
 */
async function asOnlyWindow(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const locks: LockManager | null | undefined = navigator.locks;
  if (!locks) return run(signal);
  // Rejects only when it is no longer wanted.
  return locks.request('weir-news', { signal }, () => run(signal)).catch(() => undefined);
}
