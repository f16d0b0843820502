import { type Alert, rewindApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { RewindKeeper } from './rewind-keeper.ts';
import { RewindService } from './rewind-service.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly mediaServer: Pick<MediaServer, 'applySettings' | 'lacks'>;
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly log: Log;
  readonly clock: Clock;
}

interface RewindFeature extends Feature {
  /** Dates of the first and the last picture that viewers can go back to; undefined without any. */
  readonly rewindable: (place: WirePlace) => { readonly startMs: number; readonly endMs: number } | undefined;
  /** Segments kept for rewinding, as the storage limits see them. */
  readonly windows: Pick<RewindKeeper, 'isBusy' | 'makeRoom'>;
}

/** Keeps the last minutes or hours of live streams, so that viewers can go back. The engine serves what is kept. */
export function rewindFeature(context: Context): RewindFeature {
  const { clock, segments } = context;
  const log = context.log.child({ feature: 'rewind' });
  const keeper = new RewindKeeper({
    filesDir: context.config.filesDir,
    rules: () => service.matcher(),
    log,
    clock,
  });
  const service: RewindService = new RewindService({
    ...context,
    onChange: async () => {
      await Promise.all([service.push(), segments.changed()]);
      await keeper.review();
    },
  });
  return {
    routes: (http) => {
      http.route(rewindApi.query, async () => ({
        rules: [...(await service.rules())],
        windows: keeper.facts().map(({ vhost, app, stream, startMs, endMs, bytes }) => ({
          vhost,
          app,
          stream,
          from: new Date(startMs).toISOString(),
          to: new Date(endMs).toISOString(),
          bytes,
        })),
        shortenedSince: keeper.shortenedSinceMs === undefined ? '' : new Date(keeper.shortenedSinceMs).toISOString(),
        isAvailable: service.isAvailable,
      }));
      http.route(rewindApi.save, (change) => service.save(change));
      http.route(rewindApi.remove, ({ id }) => service.remove(id));
    },
    tasks: { rewind: (signal) => keeper.run(signal) },
    segments: [keeper],
    engineSettings: () => service.push(),
    alerts: () => shortenedAlert(keeper.shortenedSinceMs),
    windows: keeper,
    rewindable: (place) => keeper.rewindable(place),
  };
}

function shortenedAlert(sinceMs: number | undefined): Alert[] {
  if (sinceMs === undefined) return [];
  const place = { page: 'scenario', tab: 'record', child: '' } as const;
  const since = new Date(sinceMs).toISOString();
  return [{ kind: 'rewind-storage', severity: 'warn', since, count: 1, place, subject: '', label: '', cause: '' }];
}
