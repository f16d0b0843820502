import { extname } from 'node:path';
import { dubbingPaths } from '@weir/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import { sendFile } from '../../core/http/send-file.ts';
import type { DubbingLinks } from './dubbing-links.ts';
import type { DubbingStudio } from './dubbing-studio.ts';

interface Context {
  readonly studio: DubbingStudio;
  readonly links: DubbingLinks;
  readonly clock: Clock;
}

/** Strangers send anything: what is no id names nothing. */
const Id = z.string().max(64).catch('');
const exportAsk = z.object({ uuid: Id, task: Id });
/** Below what the front door waits for an answer. */
const exportWaitMs = 100_000;

const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.mkv': 'video/x-matroska',
  '.flv': 'video/x-flv',
  '.ts': 'video/mp2t',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
  '.aac': 'audio/aac',
};

/** The film, the voices of its groups and the film that is made of both. */
export function mediaRoutes(http: HttpApp, { studio, links, clock }: Context): void {
  const projectOf = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { token, uuid } = request.query as Record<string, unknown>;
    if (typeof token !== 'string' || token === '') throw new WeirError('token', 'empty token');
    if (typeof uuid !== 'string' || uuid === '') throw new WeirError('missing_field', 'empty uuid');
    if (!(await links.opens(uuid, token))) await http.authoriseSecret(reply, token);
    return uuid;
  };

  http.fastify.route({
    method: anyMethod,
    url: dubbingPaths.play,
    handler: async (request, reply) => {
      const path = await studio.filmPath(await projectOf(request, reply));
      return sendFile(request, reply, { path, type: types[extname(path)] ?? 'application/octet-stream' });
    },
  });

  http.fastify.route({
    method: anyMethod,
    url: dubbingPaths.voice,
    handler: async (request, reply) => {
      const uuid = await projectOf(request, reply);
      const { group } = request.query as Record<string, unknown>;
      if (typeof group !== 'string' || group === '') throw new WeirError('missing_field', 'empty group');
      return sendFile(request, reply, { path: await studio.voicePath(uuid, group), type: 'audio/aac' });
    },
  });

  http.fastify.route({
    method: anyMethod,
    url: dubbingPaths.export,
    handler: async (request, reply) => {
      const { uuid, task } = exportAsk.parse({ ...(request.query as object), ...(request.body as object | null) });
      const { token } = request.query as Record<string, unknown>;
      if (typeof token === 'string' && request.method === 'GET') await projectOf(request, reply);
      else await http.authorise(request, reply);
      const exporter = await studio.exporter(uuid, task);
      const waited = new AbortController();
      const late = clock.pause(exportWaitMs, waited.signal).then(
        () => undefined,
        () => undefined,
      );
      const path = await Promise.race([exporter.make(), late]).finally(() => waited.abort());
      if (path === undefined)
        throw new WeirError('unavailable', 'the video is still being made, try again later', { retryAfterSeconds: 10 });
      const downloadName = `dubbing-${new Date(clock.dateMs()).toISOString().replaceAll(':', '-')}.mp4`;
      return sendFile(request, reply, { path, type: 'video/mp4', downloadName });
    },
  });
}
