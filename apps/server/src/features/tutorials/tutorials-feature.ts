import { tutorialsApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { TutorialsService } from './tutorials-service.ts';
import { askBilibili } from './video-site.ts';

interface Context {
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
  readonly clock: Clock;
}

/** Facts about the videos of the guide. */
export function tutorialsFeature({ store, outgoing, log, clock }: Context): Feature {
  const ask = askBilibili(outgoing);
  const tutorials = new TutorialsService({ store, ask, clock, log: log.child({ feature: 'tutorials' }) });
  return { routes: (http) => http.route(tutorialsApi.video, ({ bvid }) => tutorials.video(bvid)) };
}
