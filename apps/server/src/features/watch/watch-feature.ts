import { type Branding, watchApi, watchPageApi } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { OwnerPictures } from './owner-picture.ts';
import { watchPages } from './watch-pages.ts';
import { WatchRepository } from './watch-repository.ts';
import { type Access, type Streams, WatchService } from './watch-service.ts';

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly access: Access;
  readonly streams: Streams;
  readonly branding: { read(): Promise<Branding> };
  readonly thumbnail: (place: WirePlace) => Promise<unknown>;
  readonly files: StaticFiles | undefined;
}

/** Pages for viewers: of a stream, for embedding, and of the channel; and what owners decide about them. */
export function watchFeature(context: Context): Feature {
  const { store, files, branding, clock } = context;
  const service = new WatchService({
    ...context,
    repository: new WatchRepository(store),
    pictures: new OwnerPictures(),
  });
  return {
    routes: (http) => {
      http.route(watchPageApi.query, (place) => service.owned(place));
      http.route(watchPageApi.save, ({ page, ...place }) => service.save(place, page));
      http.route(watchPageApi.picture, ({ kind, picture, ...place }) => service.setPicture(place, kind, picture));
      http.route(watchPageApi.channel, () => service.channel());
      http.route(watchPageApi.saveChannel, (channel) => service.saveChannel(channel));
      http.route(watchApi.describe, ({ playback, token }, { address }) =>
        service.describe(playback, { token, address }),
      );
      http.route(watchApi.channel, () => service.listed());
      watchPages(http.fastify, { service, branding, files, clock });
    },
  };
}
