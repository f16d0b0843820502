import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { Activity, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { CrashBoundary } from '../components/ui/feedback/crash-boundary.tsx';
import { CrashNotice } from '../components/ui/feedback/crash-notice.tsx';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import pageClasses from '../components/ui/layout/page-inner.module.css';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { useSiteTitle } from '../features/branding/branding-queries.ts';
import { isSignInEnded } from '../lib/api.ts';
import { useCredentials, useSessionGeneration } from '../lib/credentials.ts';
import { dismissActionError } from '../lib/errors/error-report.ts';
import { EventFeed } from '../lib/events/event-feed.ts';
import type { ScreenId } from '../lib/feature.ts';
import { switchLanguage, useLocale } from '../lib/i18n.ts';
import { KeepAliveContext } from '../lib/keep-alive-context.ts';
import { useSiteInTitle } from '../lib/page-title.ts';
import { endedSession, paths, useLocalPath } from '../lib/paths.ts';
import { statusQuery } from '../lib/queries/system-queries.ts';
import { isPopout, parseAddress, selectScreen } from './routing.ts';
import { findScreen, preloadScreens } from './screens.ts';
import { BareShell, Shell } from './shell/shell.tsx';
import { useVisitedScreens, type VisitedScreens, VisitedScreensContext } from './visited-screens.ts';

/** Maps the address to a screen. Only the screen decides what is mounted, so a language switch keeps the page. */
export function Console() {
  const location = useLocation();
  const language = useLocale();
  const credentials = useCredentials();
  const desk = useSessionGeneration();
  const isInitialised = useQuery(initStateQuery).data?.init === true;
  const place = parseAddress(location, language);
  const wantedLanguage = place.kind === 'place' ? place.locale : language;

  const route = place.kind === 'place' ? place.route : undefined;
  useSiteInTitle(useSiteTitle());
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

/** Screens opened by one user. The session generation is its key: the next user after a sign-out gets fresh ones. */
function SessionScreens({
  screen,
  isInitialised,
  isBare,
}: {
  screen: ScreenId;
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
        <Shell isInitialised={isInitialised} hasSidebar={findScreen(screen).hasSidebar === true}>
          {content}
        </Shell>
      </KeepAliveContext>
    </VisitedScreensContext>
  );
}

/** Errors belong to the page where they happened and disappear when the user leaves it. */
function useDismissErrorsOnLeave(route: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route only decides when the effect runs
  useEffect(() => dismissActionError, [route]);
}

/** Removes data that was fetched for the previous user. */
function useDropInactiveQueries(desk: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    // Generation 0 has no previous user; its data was fetched for this one.
    if (desk > 0) queries.removeQueries({ type: 'inactive' });
  }, [queries, desk]);
}

/** Refetches the status after a new sign-in (in any tab), because the cached one belongs to another session. */
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
 * Shows the current screen and keeps visited ones mounted but hidden, so that typed text survives navigation and a new sign-in. Hidden
 * screens do not poll, and each keeps the address at which it was left.
 */
function KeepAliveScreens({ screen, visited }: { screen: ScreenId; visited: VisitedScreens }) {
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

function ScreenContent({ screen }: { screen: ScreenId }) {
  const {
    page: { Component },
    hasSidebar,
  } = findScreen(screen);
  const content = (
    <CrashBoundary fallback={(error, reset) => <CrashNotice error={error} onRetry={reset} />}>
      <Suspense fallback={<PageSkeleton />}>
        <Component />
      </Suspense>
    </CrashBoundary>
  );
  return hasSidebar ? content : <div className={pageClasses.inner}>{content}</div>;
}

/** Signs out when one of the queries marked `endsSession` reports an expired session: an alert first, as the specification requires. */
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
      // Several such queries on one page fail together; one alert is enough.
      if (isLeaving || !(error instanceof ApiError) || !isSignInEnded(error)) return;
      isLeaving = true;
      // Deferred, because an alert would block the query's own update.
      setTimeout(() => leave(error));
    });
  }, [queries]);
}

/** Listens to server events while a user is signed in and the page is visible. A page that becomes visible again catches up. */
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
 * Lets one window listen and the others poll. Browsers open six connections per server and an event stream holds one, so a seventh window
 * would block all of them. Needs the Web Locks API (HTTPS or localhost).
 */
async function asOnlyWindow(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const locks: LockManager | null | undefined = navigator.locks;
  if (!locks) return run(signal);
  // Rejects only after an abort.
  return locks.request('weir-news', { signal }, () => run(signal)).catch(() => undefined);
}
