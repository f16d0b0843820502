import { accessApi, watchApi } from '@weir/contract';
import type { ClientHook } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { AccessRepository } from './access-repository.ts';
import { AccessService } from './access-service.ts';
import { PasswordGuard } from './password-guard.ts';
import { fetchPublicKeys } from './public-keys.ts';
import { VisitorAccess } from './visitor-access.ts';

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly mediaServer: MediaServer;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
  /** Receiver that decides where a rule says so. */
  readonly callbacks: { decides(): Promise<boolean>; assertMayPlay(play: ClientHook): Promise<void> };
}

interface AccessFeature extends Feature {
  /** For pages of viewers. */
  readonly viewing: Pick<VisitorAccess, 'judge' | 'judgeStream'> & Pick<AccessService, 'playback'>;
  /** Services for the engine's hooks. */
  readonly hooks: {
    ready(serverId: string): Promise<void>;
    assertMayPlay(play: ClientHook): Promise<void>;
    used(link: string): Promise<void>;
  };
}

const refreshMs = 10 * 60_000;

/** Access of viewers: rules, signed links, passwords and tokens of the owner's backend. */
export function accessFeature({ store, clock, log: parent, mediaServer, outgoing, callbacks }: Context): AccessFeature {
  const log = parent.child({ feature: 'access' });
  const repository = new AccessRepository(store);
  const guard = new PasswordGuard(clock);
  const judge = new VisitorAccess({ repository, clock });
  const service = new AccessService({
    repository,
    judge,
    mediaServer,
    outgoing,
    guard,
    hasReceiver: () => callbacks.decides(),
    clock,
    log,
  });
  return {
    routes: (http) => {
      http.route(accessApi.query, async () => ({ rules: await service.rules() }));
      http.route(accessApi.save, (rule) => service.save(rule));
      http.route(accessApi.remove, ({ id }) => service.remove(id));
      http.route(accessApi.order, ({ ids }) => service.order(ids));
      http.route(accessApi.testKeys, async ({ jwksUrl, algorithm }) => ({
        keys: (await fetchPublicKeys(outgoing, jwksUrl, algorithm)).map(({ id }) => ({ id })),
      }));
      http.route(accessApi.links, async ({ vhost, app, stream }) => ({
        links: await service.links(
          app === undefined || stream === undefined ? undefined : { vhost, app, name: stream },
        ),
      }));
      http.route(accessApi.makeLink, (link) => service.makeLink(link));
      http.route(accessApi.revokeLink, ({ id }) => service.revokeLink(id));
      http.route(accessApi.rotateKey, () => service.rotateKey());
      http.route(accessApi.playback, async ({ vhost, app, stream }) => ({
        playback: await service.playback({ vhost, app, name: stream }),
      }));
      http.route(watchApi.unlock, ({ playback, password }, { address }) => service.unlock(playback, password, address));
    },
    tasks: {
      'playback-keys': async (signal) => {
        while (!signal.aborted) {
          await clock.pause(refreshMs, signal).catch(() => undefined);
          if (!signal.aborted) await service.refreshKeys();
        }
      },
    },
    viewing: {
      judge: (playback, visitor) => judge.judge(playback, visitor),
      judgeStream: (place, visitor) => judge.judgeStream(place, visitor),
      playback: (place) => service.playback(place),
    },
    engineSettings: () => service.push(),
    hooks: {
      ready: (serverId) => service.ready(serverId),
      assertMayPlay: (play) => callbacks.assertMayPlay(play),
      used: (link) => service.used(link),
    },
  };
}
