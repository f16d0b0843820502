import { openApiPath } from '@weir/contract';
import type { Config } from '@weir/plane';
import { anyMethod } from '../../core/http/http-app.ts';
import type { Feature } from '../../feature.ts';

/** OpenAPI description. `?lang=zh` has the texts in Chinese. */
export function openapiFeature({ config }: { readonly config: Pick<Config, 'version'> }): Feature {
  return {
    routes: ({ fastify }) => {
      fastify.route({
        method: anyMethod,
        url: openApiPath,
        handler: async (request, reply) => {
          const { lang } = request.query as { readonly lang?: unknown };
          // Loaded by the first reader: most servers never have one.
          const { openApiDocument } = await import('@weir/contract/openapi');
          const text = JSON.stringify(openApiDocument(config.version, lang === 'zh' ? 'zh' : 'en'));
          return reply.header('content-type', 'application/json').send(text);
        },
      });
    },
  };
}
