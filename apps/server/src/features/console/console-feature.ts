import type { FastifyReply } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';

const mainPage = 'index.html';

/** Inline styles are the component library's; scripts come from our own files only. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** The console's files under `/mgmt/`. `files` is undefined while the console has not been built. */
export function consoleRoutes(http: HttpApp, files: StaticFiles | undefined): void {
  for (const url of ['/mgmt', '/mgmt/*']) {
    http.fastify.route({
      method: anyMethod,
      url,
      handler: async (request, reply) => {
        if (!files) throw new WeirError('unavailable', 'the console is not built, start the server with npm start');
        const path = decodeURIComponent(request.url.split('?')[0] ?? '').replace(/^\/mgmt\/?/, '');
        const name = isMainPage(path) ? mainPage : path;
        return files.send(request, secure(reply, name), name);
      },
    });
  }
}

/** The application draws these itself. `/mgmt/en` alone is one of them. */
function isMainPage(path: string): boolean {
  return path === '' || path === mainPage || /^[a-z]{2}\/?$/.test(path) || `/${path}`.includes('/routers-');
}

function secure(reply: FastifyReply, name: string): FastifyReply {
  // Names under assets/ carry a hash of their content; everything else is asked for anew each time.
  const isHashed = name.startsWith('assets/');
  return reply.headers({
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'SAMEORIGIN',
  });
}
