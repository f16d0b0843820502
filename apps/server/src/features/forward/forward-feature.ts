import { forwardApi } from '@weir/contract';
import type { Feature } from '../../core/feature.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { type ForwardContext, ForwardService } from './forward-service.ts';

/** Sends live streams on to other platforms. */
export function forwardFeature(context: ForwardContext): Feature & { readonly service: ForwardService } {
  const service = new ForwardService(context);
  return {
    routes: (http) => {
      http.route(forwardApi.secret, (change) =>
        takeOutletCall(change, {
          read: () => service.outlets.byPlatform(),
          update: () => service.save(change),
          remove: () => service.outlets.remove(change.platform),
        }),
      );
      http.route(forwardApi.streams, () => service.rows());
    },
    alerts: () => service.alerts(),
    reported: async () => ({
      destinations: (await service.rows()).map(({ platform, enabled, custom, stream, process }) => {
        const { state, failures, failure } = process;
        return { platform, enabled, custom, stream, state, failures, cause: failure?.cause ?? '' };
      }),
    }),
    service,
  };
}
