import { cloudApi } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { CloudService } from './cloud-service.ts';
import type { CloudKind } from './cloud-switches.ts';

export function cloudRoutes(http: HttpApp, service: CloudService): void {
  http.route(cloudApi.secret, (key) => service.setSecret(key));
  http.route(cloudApi.dvrQuery, () => service.queryDvr());
  http.route(cloudApi.dvrApply, ({ all }) => service.apply('dvr', all));
  http.route(cloudApi.dvrFiles, () => service.recordings());
  http.route(cloudApi.vodQuery, () => service.queryVod());
  http.route(cloudApi.vodApply, ({ all }) => service.apply('vod', all));
  http.route(cloudApi.vodFiles, () => service.videos());
  playlistRoute(http, service, 'dvr');
  playlistRoute(http, service, 'vod');
}

const playlistPath = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\/index)?\.m3u8$/;

/**
 * Without a credential, as players know it: the id is as hard to guess as the names of the segments, which anybody who has them
 * may read in the cloud anyway.
 */
function playlistRoute(http: HttpApp, service: CloudService, kind: CloudKind): void {
  http.fastify.route<{ Params: { '*': string } }>({
    method: anyMethod,
    url: `/terraform/v1/hooks/${kind}/hls/*`,
    handler: async (request, reply) => {
      const [, uuid] = playlistPath.exec(request.params['*']) ?? [];
      if (uuid === undefined) throw new WeirError('not_found', 'there is no playlist at this path');
      const text = await service.playlist(kind, uuid);
      return reply
        .headers({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
        .send(Buffer.from(request.method === 'HEAD' ? '' : text));
    },
  });
}
