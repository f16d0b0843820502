import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import type { Feature } from '../../core/feature.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import { pageHeaders, pageKind } from './page-headers.ts';

/** Where a folder's own address leads. The browser keeps what follows the `#`. */
const firstPages: Record<string, string> = {
  '/console/': '/console/ng_index.html',
  '/console/index.html': '/console/ng_index.html',
  '/players/': '/players/srs_player.html',
  '/players/index.html': '/players/srs_player.html',
  '/tools/': '/tools/player.html',
};

/** Players, publisher and server console: public pages outside `/mgmt/`, from the same build as the console. */
export function pagesFeature({ files }: { readonly files: StaticFiles | undefined }): Feature {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query] = request.url.split(/\?(.*)/s);
    const first = Object.hasOwn(firstPages, path) ? firstPages[path] : undefined;
    if (first !== undefined) return reply.redirect(query === undefined ? first : `${first}?${query}`, 302);
    const name = path.slice(1);
    const kind = pageKind(name);
    if (kind === undefined) throw new WeirError('not_found', 'there is no such page');
    if (!files) throw new WeirError('unavailable', 'the pages are not built, start the server with npm start');
    return files.send(request, reply.headers(pageHeaders(kind, isSecure(request))), name);
  };
  return {
    routes: ({ fastify }) => {
      for (const url of ['/console/*', '/players/*', '/tools/*']) {
        fastify.route({ method: anyMethod, url, handler: answer });
      }
    },
  };
}

/** The front door's own word on how the browser came. */
function isSecure({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-proto'] === 'https';
}
