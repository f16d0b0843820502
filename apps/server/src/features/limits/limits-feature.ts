import { BitrateLimits, limitsApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

const only = 'sources';

/** For whoever takes sources in. */
export async function readLimits(store: Store): Promise<BitrateLimits> {
  return (await store.collection('limits', BitrateLimits).get(only)) ?? BitrateLimits.parse({});
}

/** Highest bit rates of the sources of virtual live and cameras. They are looked at when a source is added. */
export function limitsRoutes(http: HttpApp, store: Store): void {
  const limits = store.collection('limits', BitrateLimits);
  const defaults = BitrateLimits.parse({});
  http.route(limitsApi.query, async () => (await limits.get(only)) ?? defaults);
  http.route(limitsApi.update, async ({ vlive, camera }) => {
    await limits.update(only, (current = defaults) => ({
      vlive: vlive ?? current.vlive,
      camera: camera ?? current.camera,
    }));
    return null;
  });
}
