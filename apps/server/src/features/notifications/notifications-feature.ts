import { type Alert, type Diagnosis, notificationsApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { ChannelRepository, toShownChannel } from './channel-repository.ts';
import { Notifier } from './notifier.ts';

interface Context {
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly diagnose: () => Promise<{ readonly alerts: readonly Alert[]; readonly diagnosis: Diagnosis }>;
}

/** Tells people about alerts by e-mail, chat services and other programs. */
export function notificationsFeature(context: Context): Feature {
  const log = context.log.child({ feature: 'notifications' });
  const channels = new ChannelRepository(context.store);
  const notifier = new Notifier({ ...context, log, channels });
  return {
    routes: (http) => {
      http.route(notificationsApi.query, async () => ({
        pushKey: (await channels.pushKeys()).publicKey,
        channels: await Promise.all(
          (await channels.list()).map(async (channel) => ({
            ...toShownChannel(channel),
            last: notifier.lastOf(channel.id) ?? null,
            open: await notifier.openOf(channel.id),
          })),
        ),
      }));
      http.route(notificationsApi.save, async (change, { origin }) => {
        await channels.keepAddress(origin);
        const { id } = await channels.save(change);
        notifier.changed(id);
        return { id };
      });
      http.route(notificationsApi.remove, async ({ id }) => {
        await channels.remove(id);
        notifier.forget(id);
      });
      http.route(notificationsApi.test, async (change, { origin }) => {
        await channels.keepAddress(origin);
        return notifier.test(change);
      });
    },
    tasks: { notifications: (signal) => notifier.run(signal) },
  };
}
