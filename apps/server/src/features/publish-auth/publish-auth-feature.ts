import { publishAuthApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import { PublishAuthService } from './publish-auth-service.ts';
import { PublishSecretRepository } from './publish-secret-repository.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly events: Events;
  readonly tellSecret: (secret: string) => Promise<void>;
}

export function createPublishAuth({ store, log, events, tellSecret }: Context): PublishAuthService {
  return new PublishAuthService({
    secrets: new PublishSecretRepository(store),
    events,
    tellSecret,
    log: log.child({ feature: 'publish-auth' }),
  });
}

export function publishAuthRoutes(http: HttpApp, publishAuth: PublishAuthService): void {
  for (const endpoint of [publishAuthApi.query, publishAuthApi.queryShort]) {
    http.route(endpoint, () => publishAuth.query());
  }
  http.route(publishAuthApi.update, ({ secret }) => publishAuth.replaceSecret(secret));
  http.route(publishAuthApi.disable, ({ pubNoAuth }) => publishAuth.setNoAuth(pubNoAuth));
}
