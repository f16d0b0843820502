import { forwardApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { ForwardService } from './forward-service.ts';

/** Sends live streams on to other platforms. */
export function forwardRoutes(http: HttpApp, context: ConstructorParameters<typeof ForwardService>[0]): ForwardService {
  const forward = new ForwardService(context);
  http.route(forwardApi.secret, (change) =>
    takeOutletCall(change, {
      read: () => forward.outlets.byPlatform(),
      update: () => forward.save(change),
      remove: () => forward.outlets.remove(change.platform),
    }),
  );
  http.route(forwardApi.streams, () => forward.rows());
  return forward;
}
