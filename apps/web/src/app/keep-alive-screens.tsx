import { Activity, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { CrashBoundary } from '../components/ui/feedback/crash-boundary.tsx';
import { CrashNotice } from '../components/ui/feedback/crash-notice.tsx';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import type { Screen } from './routing.ts';
import { screens } from './screens.ts';
import type { VisitedScreens } from './visited-screens.ts';

/**
 * The screen of the address, and out of sight those visited before: what was typed into them is there on return, also
 * after signing in again. Their polls rest. Each goes on seeing the address it was left at.
 */
export function KeepAliveScreens({ screen, visited }: { screen: Screen; visited: VisitedScreens }) {
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
