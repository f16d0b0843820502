import { type ActiveStream, type Broadcast, timelineApi, timelineLimits } from '@weir/contract';
import type { WirePlace } from '@weir/dialect';
import type { Log } from '@weir/plane';
import type { Supervisor } from '@weir/process';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import type { Feature } from '../../core/feature.ts';
import { broadcastOf } from '../../timeline-store/broadcast-row.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { broadcastReport, type ReportContext } from './broadcast-report.ts';
import { FlightRecorder } from './flight-recorder.ts';
import { type Recordings, withLeftRecordings } from './left-recordings.ts';
import { noteEvents } from './note-events.ts';
import { changedSetting } from './setting-changes.ts';

interface Context extends ReportContext {
  readonly timeline: Timeline;
  readonly events: Events;
  readonly supervisor: Supervisor;
  readonly log: Log;
  readonly recordings: Recordings;
  readonly streams: ReportContext['streams'] & { list(): Promise<ActiveStream[]> };
}

/** What happened in broadcasts, while they run and after they ended. */
export function timelineFeature(context: Context): Feature {
  const { timeline, clock, measurements, recordings } = context;
  noteEvents(context);
  const recorder = new FlightRecorder({ ...context, judge: (live) => measurements.judge(live) });
  const find = async ({ id, ...place }: WirePlace & { readonly id: number }): Promise<Broadcast | undefined> => {
    const row = id === 0 ? timeline.file.newestOf(place) : timeline.file.row(id);
    return row && withLeftRecordings(broadcastOf(row, clock.dateMs()), recordings);
  };
  return {
    routes: (http) => {
      http.onDone((endpoint, body) => {
        const area = changedSetting(endpoint, body);
        if (area) timeline.noteAll({ what: 'setting-changed', facts: { area } });
      });
      http.route(timelineApi.broadcasts, async ({ before, most, ...place }) => {
        const { broadcasts, hasMore } = timeline.file.list(place, { before, most }, clock.dateMs());
        return { broadcasts: await Promise.all(broadcasts.map((one) => withLeftRecordings(one, recordings))), hasMore };
      });
      http.route(timelineApi.timeline, async ({ most, ...which }) => {
        const broadcast = await find(which);
        return { broadcast: broadcast ?? null, entries: broadcast ? timeline.file.entries(broadcast.id, most) : [] };
      });
      http.route(timelineApi.report, async (which) => {
        const broadcast = await find(which);
        if (!broadcast) throw new WeirError('not_found', 'this broadcast no longer exists');
        const entries = timeline.file.entries(broadcast.id, timelineLimits.entries);
        return broadcastReport(context, { broadcast, entries }, timeline.redaction);
      });
    },
    tasks: { timeline: (signal) => recorder.run(signal) },
  };
}
