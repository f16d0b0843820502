import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { AddressPanel } from './address-panel.tsx';
import { AlertPanel } from './alert-panel.tsx';
import { LivePanel } from './live/live-panel.tsx';
import { overviewQuery } from './overview-query.ts';
import classes from './overview-tab.module.css';
import { PartsPanel } from './parts-panel.tsx';
import { ServerPanel } from './server-panel.tsx';
import { useServerState } from './use-server-state.ts';

const crowd = 12;

/** The control room: what is on air, how it does, who watches, and what will break next. */
export function OverviewTab() {
  // Begun with the code of the page, not after the answer that its other parts wait for.
  usePrefetchQuery(overviewQuery);
  const server = useServerState();
  const { data: number = 0 } = useQuery({ ...streamsQuery, select: ({ streams }) => streams.length });
  // Below so many cards nobody would look.
  const isCrowded = number > crowd;
  // What stands below the streams is drawn after them.
  const isBelowDrawn = useDeferredValue(true, false);
  const [query] = useSearchParams();
  const { status } = server;
  if (!status) return <PageSkeleton />;
  const alerts = <AlertPanel alerts={status.alerts} issues={server.issues.alarms} />;
  const machine = <ServerPanel server={server} status={status} />;
  const isAlerting = status.alerts.length + server.issues.alarms.length > 0;
  return (
    <div className={classes.room}>
      {/* What needs a person comes before everything else. */}
      {isAlerting && alerts}
      {isCrowded && machine}
      <LivePanel />
      {!isCrowded && machine}
      {!isAlerting && alerts}
      {query.has('broadcast') && <TimelinePanel />}
      {isBelowDrawn && (
        <>
          <BroadcastsPanel />
          <div className={classes.columns}>
            <AddressPanel engine={status.health.engine} />
            <PartsPanel health={status.health} />
          </div>
        </>
      )}
    </div>
  );
}
