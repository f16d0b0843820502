import { defaultVhost, type WirePlace } from '@weir/streams';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { readBody } from '../../core/http/body.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';

const mostBytes = 64 * 1024;
const Answer = z.object({ client: z.object({ url: z.string(), publish: z.boolean(), ip: z.string().default('') }) });

interface KnownClient {
  readonly place: WirePlace;
  readonly isPublisher: boolean;
  readonly address: string;
}

/** Stream of a client; undefined if there is none or it is unknown. */
async function clientPlace(mediaServer: MediaServer, path: string): Promise<KnownClient | undefined> {
  try {
    const answer = await mediaServer.api('GET', path, undefined);
    const { client } = Answer.parse(JSON.parse(String(await readBody(answer, mostBytes))));
    const [, vhost, app, stream] = /^([^/]*)\/(.+)\/([^/]+)$/.exec(client.url) ?? [];
    if (app === undefined || stream === undefined) return undefined;
    const place = { vhost: vhost || defaultVhost, app, stream };
    return { place, isPublisher: client.publish, address: client.ip };
  } catch {
    return undefined;
  }
}

/** The health check of installers and load balancers: it needs no credential. */
const openPath = '/api/v1/versions';

/** Disconnects a client. Clients without DELETE name the method in the query. */
const clientPath = /^\/api\/v1\/clients\/[^/?]+(?=$|\?)/;

interface Context {
  readonly mediaServer: MediaServer;
  readonly timeline: Pick<Timeline, 'note'>;
}

/** The media server's own API, for tools written for SRS: checked here, answered by the engine. */
export function srsApiFeature({ mediaServer, timeline }: Context): Feature {
  return {
    routes: (http) => {
      http.fastify.route({
        method: anyMethod,
        url: '/api/*',
        handler: async (request, reply) => {
          const { path, token } = withoutCredential(request);
          if (path.split('?')[0] !== openPath) await http.authorise(request, reply, { queryToken: token });
          const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
          const isKick = request.method === 'DELETE' || /[?&]method=DELETE(&|$)/i.test(path);
          const [client] = (isKick && clientPath.exec(path)) || [];
          const kicked = client === undefined ? undefined : await clientPlace(mediaServer, client);
          const answer = await mediaServer.api(request.method, path, body);
          if (kicked) {
            const what = kicked.isPublisher ? 'publisher-kicked' : 'viewer-kicked';
            timeline.note(kicked.place, { what, facts: { address: kicked.address } });
          }
          reply.code(answer.statusCode ?? 502).headers({
            'content-type': answer.headers['content-type'] ?? 'application/json',
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
          });
          return reply.send(answer);
        },
      });
    },
  };
}

/** The token stays here: the engine needs none, and what it is not told it cannot log. */
function withoutCredential({ url }: FastifyRequest): { path: string; token: string | undefined } {
  const parsed = new URL(url, 'http://engine');
  const token = parsed.searchParams.get('token') ?? undefined;
  parsed.searchParams.delete('token');
  return { path: parsed.pathname + parsed.search, token };
}
