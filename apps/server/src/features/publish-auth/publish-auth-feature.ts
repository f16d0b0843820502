import { publishAuthApi } from '@weir/contract';
import type { Log, SecretRedactor } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { PublishAuthService, type RoomSecrets } from './publish-auth-service.ts';
import { PublishSecretRepository } from './publish-secret-repository.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly events: Events;
  /** Redactor of this plane's log. */
  readonly hidden: SecretRedactor;
  readonly mediaServer: MediaServer;
  readonly rooms: RoomSecrets;
}

/** Authorisation of publishers. */
export function publishAuthFeature(context: Context): Feature & { readonly service: PublishAuthService } {
  const { store, log, clock, events, hidden, mediaServer, rooms } = context;
  const service = new PublishAuthService({
    secrets: new PublishSecretRepository(store, clock),
    events,
    rooms,
    tellSecrets: (secrets) => {
      hidden.set(secrets);
      return mediaServer.applySettings({ hidden: [...secrets] });
    },
    log: log.child({ feature: 'publish-auth' }),
  });
  return {
    routes: (http) => {
      for (const endpoint of [publishAuthApi.query, publishAuthApi.queryShort]) {
        http.route(endpoint, () => service.query());
      }
      http.route(publishAuthApi.update, ({ secret }) => service.replaceSecret(secret));
      http.route(publishAuthApi.disable, ({ pubNoAuth }) => service.setNoAuth(pubNoAuth));
    },
    service,
  };
}
