import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { CrashBoundary } from '../components/ui/crash-boundary.tsx';
import { CrashNotice } from '../components/ui/crash-notice.tsx';
import { PageSkeleton } from '../components/ui/page-skeleton.tsx';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { useSiteTitle } from '../features/branding/branding-queries.ts';
import { statusQuery } from '../features/system/system-queries.ts';
import { useCredentials } from '../lib/credentials.ts';
import { dismissError } from '../lib/error-report.ts';
import { switchLanguage, useLocale } from '../lib/i18n.ts';
import { isPopout, readPlace, type Screen, screenFor } from './routing.ts';
import { preloadScreens, screens } from './screens.ts';
import { BareShell, Shell } from './shell/shell.tsx';

/** Turns the address into a screen. The screen alone decides what is mounted, so a change of language keeps the page. */
export function Console() {
  const location = useLocation();
  const language = useLocale();
  const credentials = useCredentials();
  const isInitialised = useQuery(initStateQuery).data?.init === true;
  const place = readPlace(location, language);
  const wantedLanguage = place.kind === 'place' ? place.locale : language;

  const route = place.kind === 'place' ? place.route : undefined;
  useDocumentTitle();
  useErrorsOfPage(route);
  useFreshStatus(credentials?.token);
  useEffect(() => {
    if (wantedLanguage !== language) void switchLanguage(wantedLanguage);
  }, [wantedLanguage, language]);

  if (place.kind === 'redirect') return <Navigate to={place.to} replace />;
  const screen = screenFor(place.route, { initialised: isInitialised, signedIn: credentials !== undefined });
  const content = <ScreenContent screen={screen} />;
  if (isPopout(location.search)) return <BareShell>{content}</BareShell>;
  return <Shell isInitialised={isInitialised}>{content}</Shell>;
}

function ScreenContent({ screen }: { screen: Screen }) {
  const { Component } = screens[screen];
  return (
    <CrashBoundary key={screen} fallback={(error, reset) => <CrashNotice error={error} onRetry={reset} />}>
      <Suspense fallback={<PageSkeleton />}>
        <Component />
      </Suspense>
    </CrashBoundary>
  );
}

/** A failure belongs to the page it happened on; it goes when the person leaves that page. */
function useErrorsOfPage(route: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route only says when
  useEffect(() => dismissError, [route]);
}

function useDocumentTitle(): void {
  const title = useSiteTitle();
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A new sign-in, also one made in another tab, makes the last status an answer to somebody else's question. */
function useFreshStatus(token: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === undefined) return;
    void queries.invalidateQueries({ queryKey: statusQuery.queryKey });
    preloadScreens();
  }, [token, queries]);
}
