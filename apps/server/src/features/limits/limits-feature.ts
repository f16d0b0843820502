import { BitrateLimits, limitsApi } from '@weir/contract';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

interface LimitsFeature extends Feature {
  /** Limits for features that accept sources. */
  readonly limitKbps: (feature: keyof BitrateLimits) => Promise<number>;
}

/** Highest bit rates of the sources of virtual live and cameras. They are looked at when a source is added. */
export function limitsFeature({ store }: { readonly store: Store }): LimitsFeature {
  const limits = store.setting('limits/sources', BitrateLimits);
  return {
    routes: (http) => {
      http.route(limitsApi.query, () => limits.read());
      http.route(limitsApi.update, async ({ vlive, camera }) => {
        await limits.update((current) => ({ vlive: vlive ?? current.vlive, camera: camera ?? current.camera }));
      });
    },
    reported: () => limits.read(),
    limitKbps: async (feature) => (await limits.read())[feature],
  };
}
