import { hlsApi } from '@weir/contract';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

/** The settings under their names in the store and on the public wire. */
const StoredHls = z.object({ noHlsCtx: z.boolean().default(false), hlsLowLatency: z.boolean().default(false) });
type StoredHls = z.output<typeof StoredHls>;

interface HlsServiceContext {
  readonly store: Store;
  readonly mediaServer: MediaServer;
}

/** Settings of HLS. */
class HlsService {
  readonly #mediaServer: MediaServer;
  readonly #settings: Setting<StoredHls>;
  /** Serialises changes, so that engine and store end with the same settings. */
  readonly #turns = new Mutex();

  constructor({ store, mediaServer }: HlsServiceContext) {
    this.#mediaServer = mediaServer;
    this.#settings = store.setting('hls/hls', StoredHls);
  }

  query(): Promise<StoredHls> {
    return this.#settings.read();
  }

  /** The engine first: what is saved is what streams follow. */
  update(change: Partial<StoredHls>): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#mediaServer.lacks.includes('hls-settings')) {
        throw new WeirError('unavailable', 'HLS is set up in the configuration of the media server, change it there');
      }
      const before = await this.query();
      const after = { ...before, ...change };
      await this.#apply(after);
      try {
        await this.#settings.put(after);
      } catch (error) {
        // Should this fail as well, the engine is told at its next start.
        await this.#apply(before).catch(() => undefined);
        throw error;
      }
    });
  }

  /** For an engine that has just started. */
  push(): Promise<void> {
    return this.#turns.take(async () => this.#apply(await this.query()));
  }

  #apply({ noHlsCtx, hlsLowLatency }: StoredHls): Promise<void> {
    return this.#mediaServer.applySettings({ hls: { noHlsCtx, shortSegments: hlsLowLatency } });
  }
}

interface Context {
  readonly store: Store;
  readonly mediaServer: MediaServer;
}

export function hlsFeature(context: Context): Feature {
  const service = new HlsService(context);
  return {
    routes: (http) => {
      http.route(hlsApi.queryDelivery, async () => ({ noHlsCtx: (await service.query()).noHlsCtx }));
      http.route(hlsApi.queryLatency, async () => ({ hlsLowLatency: (await service.query()).hlsLowLatency }));
      http.route(hlsApi.updateDelivery, ({ noHlsCtx }) => service.update({ noHlsCtx }));
      http.route(hlsApi.updateLatency, ({ hlsLowLatency }) => service.update({ hlsLowLatency }));
    },
    engineSettings: () => service.push(),
    reported: () => service.query(),
  };
}
