import { vliveApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { VliveService } from './vlive-service.ts';

/** Sends files, and streams from elsewhere, to platforms as if they were live. */
export function vliveRoutes(http: HttpApp, needs: ConstructorParameters<typeof VliveService>[0]): void {
  const vlive = new VliveService(needs);
  http.route(vliveApi.secret, (change) =>
    takeOutletCall(change, {
      read: () => vlive.byPlatform(),
      update: () => vlive.save(change),
      remove: () => vlive.outlets.remove(change.platform),
    }),
  );
  http.route(vliveApi.streams, () => vlive.rows());
  http.route(vliveApi.source, ({ platform, files }) => vlive.choose(platform, files));
}
