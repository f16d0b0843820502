import type { Config } from '@weir/plane';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import { readOrigin } from '../../core/http/call.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import type { Feature } from '../../feature.ts';

const mainPage = 'index.html';

/** Inline styles are the component library's; scripts come from our own files only. The check of the server also connects to its HTTPS port. */
function contentSecurityPolicy(httpsOrigin: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self'${httpsOrigin === '' ? '' : ` ${httpsOrigin}`}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}

interface Context {
  readonly files: StaticFiles | undefined;
  readonly config: Pick<Config, 'https' | 'httpsElsewhere'>;
}

/** The console's files under `/mgmt/`. `files` is undefined while the console has not been built. */
export function consoleFeature({ files, config }: Context): Feature {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!files) throw new WeirError('unavailable', 'the console is not built, start the server with npm start');
    const path = decodeURIComponent(request.url.split('?')[0] ?? '').replace(/^\/mgmt\/?/, '');
    const name = files.has(path) || isForFile(path, request.headers.accept) ? path : mainPage;
    return files.send(request, secure(reply, name, httpsOrigin(request, config)), name);
  };
  return {
    routes: ({ fastify }) => {
      for (const url of ['/mgmt', '/mgmt/*']) fastify.route({ method: anyMethod, url, handler: answer });
    },
  };
}

/**
 * Every address that is no file belongs to the application, which shows what it knows and the sign-in page otherwise.
 * Only a page's own request for a script or picture that is gone is answered as missing: HTML in its place would be a riddle.
 */
function isForFile(path: string, accept: string | undefined): boolean {
  return /\.\w+$/.test(path) && !/\/routers-/.test(`/${path}`) && !(accept ?? '').includes('text/html');
}

/** HTTPS origin of this server under the host of the request; empty if there is none. */
function httpsOrigin(request: FastifyRequest, { https, httpsElsewhere }: Context['config']): string {
  const origin = readOrigin(request);
  if (origin === '' || (https.port === 0 && !httpsElsewhere)) return '';
  const url = new URL(origin);
  // Letters that end a source of the policy cannot stand in a host, but nothing here relies on that.
  if (!/^[a-z0-9.:[\]-]+$/.test(url.hostname)) return '';
  return `https://${url.hostname}${httpsElsewhere ? '' : `:${https.port}`}`;
}

function secure(reply: FastifyReply, name: string, origin: string): FastifyReply {
  return reply.headers({
    'cache-control': cachingOf(name),
    'content-security-policy': contentSecurityPolicy(origin),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'SAMEORIGIN',
  });
}

function cachingOf(name: string): string {
  // Asset names contain a hash of their content.
  if (name.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  // File names change with every version, so a cached page would request missing files.
  if (name.endsWith('.html')) return 'no-cache';
  // The script before the first paint, and icons: nothing is to wait for the question whether they have changed.
  return 'public, max-age=600, stale-while-revalidate=31536000';
}
