import { BitrateLimits, limitsApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

/** For whoever takes sources in. */
export function readLimits(store: Store): Promise<BitrateLimits> {
  return store.setting('limits/sources', BitrateLimits).read();
}

/** Highest bit rates of the sources of virtual live and cameras. They are looked at when a source is added. */
export function limitsRoutes(http: HttpApp, store: Store): void {
  const limits = store.setting('limits/sources', BitrateLimits);
  http.route(limitsApi.query, () => limits.read());
  http.route(limitsApi.update, async ({ vlive, camera }) => {
    await limits.update((current) => ({
      vlive: vlive ?? current.vlive,
      camera: camera ?? current.camera,
    }));
  });
}
