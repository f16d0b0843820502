import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import type { Feature } from '../../feature.ts';

/** Kind of a page; it decides the content security policy. */
type PageKind = 'player' | 'publisher' | 'console';

const kinds: Record<string, PageKind> = {
  'tools/player.html': 'player',
  'tools/xgplayer.html': 'player',
  'players/srs_player.html': 'player',
  'players/whep.html': 'player',
  'players/rtc_player.html': 'player',
  'players/whip.html': 'publisher',
  'players/rtc_publisher.html': 'publisher',
  'console/ng_index.html': 'console',
  'console/en_index.html': 'console',
};

/** The kind of a page, by its path without the leading slash; undefined when there is no such page. */
function pageKind(name: string): PageKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** Media may come from anywhere, but a secure page loads only secure media. */
const mediaSources = (isSecure: boolean) => (isSecure ? 'https:' : 'http: https:');

/** Scripts come only from our own files. Players may be embedded in other sites; pages with a camera or a sign-in may not. */
function pageHeaders(kind: PageKind, isSecure: boolean): Record<string, string> {
  const isOpen = kind !== 'console';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `media-src blob: ${isOpen ? `'self' ${mediaSources(isSecure)}` : "'self'"}`,
    `connect-src 'self'${isOpen ? ` ${mediaSources(isSecure)}` : ''}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${kind === 'player' ? '*' : "'self'"}`,
  ];
  const devices = kind === 'publisher' ? '(self)' : '()';
  return {
    // The names of the scripts inside change with every version: an old page would ask for files that are gone.
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'permissions-policy': `camera=${devices}, microphone=${devices}, display-capture=${devices}, geolocation=()`,
    'referrer-policy': 'no-referrer',
    ...(kind === 'player' ? {} : { 'x-frame-options': 'SAMEORIGIN' }),
  };
}

/** Redirects of folder addresses. The browser keeps the fragment. */
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
