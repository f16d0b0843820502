import { readFile } from 'node:fs/promises';
import { ocrImagePath } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { ImageLinks } from './image-links.ts';
import type { OcrFiles } from './pipeline/ocr-files.ts';
import type { OcrPipeline } from './pipeline/ocr-pipeline.ts';
import { tsidsOf } from './pipeline/ocr-row.ts';

interface Context {
  readonly line: OcrPipeline;
  readonly files: OcrFiles;
  readonly links: ImageLinks;
}

/** Pictures of segments: for the administrator, or by the address that queues and callbacks hand out. */
export function imageRoute(http: HttpApp, { line, files, links }: Context): void {
  http.fastify.route<{ Params: { '*': string }; Querystring: { token?: unknown } }>({
    method: anyMethod,
    url: `${ocrImagePath}/*`,
    handler: async (request, reply) => {
      const tsid = request.params['*'].replace(/\.jpg$/, '');
      const { token } = request.query;
      // Before anything is looked up: strangers learn nothing, not even which pictures there are.
      const isOpen = typeof token === 'string' && (await links.isGood(tsid, token));
      if (!isOpen) await http.authorise(request, reply);
      await line.load();
      const row = line.rows.find((one) => tsidsOf(one).image === tsid);
      const image = row && (await readFile(files.image(row)).catch(() => undefined));
      if (!image) throw new WeirError('not_found', 'there is no such image');
      return reply
        .headers({ 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=600' })
        .header('x-content-type-options', 'nosniff')
        .send(request.method === 'HEAD' ? Buffer.alloc(0) : image);
    },
  });
}
