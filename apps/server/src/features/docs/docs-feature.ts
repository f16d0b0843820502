import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import { anyMethod } from '../../core/http/http-app.ts';
import { spokenLocale } from '../../core/http/spoken-locale.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import type { Feature } from '../../feature.ts';

const headers = {
  // Search indexes and pages change with every version, under the same names.
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
};

/** The documentation of this version, built with the console: public and complete without the internet. */
export function docsFeature({ files }: { readonly files: StaticFiles | undefined }): Feature {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = (request.url.split('?', 1)[0] ?? '').slice(1);
    const folder = /^docs(?:\/(en|zh)?\/?)?$/.exec(name);
    if (folder) {
      const locale = folder[1] ?? spokenLocale(request.headers['accept-language']);
      return reply.header('vary', 'accept-language').redirect(`/docs/${locale}/start.html`, 302);
    }
    if (!files) throw new WeirError('unavailable', 'the documentation is not built, start the server with npm start');
    return files.send(request, reply.headers(headers), name);
  };
  return {
    routes: ({ fastify }) => {
      for (const url of ['/docs', '/docs/*']) fastify.route({ method: anyMethod, url, handler: answer });
    },
  };
}
