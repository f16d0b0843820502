import { extname } from 'node:path';
import { dubbingApi, dubbingPaths } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import { sendFile } from '../../core/http/send-file.ts';
import { isGoodLink, signLink } from '../../core/signed-link.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { Sources } from '../../media-sources/sources.ts';
import { shownProject } from './dubbing-projects.ts';
import { DubbingStudio } from './dubbing-studio.ts';

interface DubbingLinksContext {
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Clock;
}

const goodForMs = 12 * 3600 * 1000;

/** Tokens for players, which cannot send a header: each opens one project, for some hours, and nothing else. */
class DubbingLinks {
  readonly #context: DubbingLinksContext;

  constructor(context: DubbingLinksContext) {
    this.#context = context;
  }

  async make(project: string): Promise<string> {
    const { linkKey, clock } = this.#context;
    return signLink(await linkKey(), project, clock.dateMs() + goodForMs);
  }

  async opens(project: string, token: string): Promise<boolean> {
    const { linkKey, clock } = this.#context;
    return isGoodLink(await linkKey(), project, token, clock.dateMs());
  }
}

interface MediaRoutesContext {
  readonly studio: DubbingStudio;
  readonly links: DubbingLinks;
  readonly clock: Clock;
}

/** Checks an id from a request, which may be anything. */
const Id = z.string().max(64).catch('');
const exportAsk = z.object({ uuid: Id, task: Id });
/** Time limit below that of the front door for an answer. */
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
function mediaRoutes(http: HttpApp, { studio, links, clock }: MediaRoutesContext): void {
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

interface DubbingRoutesContext {
  readonly studio: DubbingStudio;
  readonly sources: Sources;
  readonly links: DubbingLinks;
}

/** Accepts every readable film, because it is not sent to an outlet. */
const rules = { limitKbps: Number.POSITIVE_INFINITY, anyAudio: true, anyVideo: true } as const;

function dubbingRoutes(http: HttpApp, { studio, sources, links }: DubbingRoutesContext): void {
  const { projects, corrections } = studio;
  http.route(dubbingApi.source, async ({ files }) => ({ files: await sources.accept(files, rules) }));
  http.route(dubbingApi.create, async ({ title, files }) => shownProject(await projects.create(title, files)));
  http.route(dubbingApi.list, async () => {
    const listed = await projects.list();
    return { projects: listed.map(shownProject), states: await studio.states(listed) };
  });
  http.route(dubbingApi.query, async ({ uuid }) => shownProject(await projects.get(uuid)));
  http.route(dubbingApi.update, async (change) => shownProject(await studio.update(change)));
  http.route(dubbingApi.remove, ({ uuid }) => studio.remove(uuid));
  http.route(dubbingApi.links, async ({ uuid }) => ({ token: await links.make((await projects.get(uuid)).uuid) }));

  http.route(dubbingApi.start, ({ uuid }) => studio.start(uuid));
  http.route(dubbingApi.pause, ({ uuid }) => studio.pause(uuid));
  http.route(dubbingApi.cancel, ({ uuid }) => studio.cancel(uuid));
  http.route(dubbingApi.restart, ({ uuid, step }) => studio.restart(uuid, step));
  http.route(dubbingApi.task, ({ uuid, task, since }) => studio.view(uuid, task, since));
  const after = async ({ uuid, since }: { uuid: string; since: string }, change: Promise<void>) => {
    await change;
    return studio.view(uuid, '', since);
  };
  http.route(dubbingApi.rephrase, (ask) => after(ask, corrections.rephrase(ask.uuid, ask.group)));
  http.route(dubbingApi.speak, (ask) => after(ask, corrections.speak(ask.uuid, ask.group, ask.revision)));
  http.route(dubbingApi.merge, (ask) => after(ask, corrections.merge(ask.uuid, ask.group, ask.direction)));
  http.route(dubbingApi.split, (ask) => after(ask, corrections.split(ask.uuid, ask.group, ask.at, ask.revision)));
  http.route(dubbingApi.edit, (ask) => {
    const { uuid, group, task: _task, since: _since, ...edit } = ask;
    return after(ask, corrections.edit(uuid, group, edit));
  });
  http.route(dubbingApi.regroup, (ask) => after(ask, corrections.regroup(ask.uuid, ask.groups, ask.known)));
  http.route(dubbingApi.peaks, ({ uuid }) => studio.peaks(uuid));
  http.route(dubbingApi.exportState, async ({ uuid, task, start }) => {
    const exporter = await studio.exporter(uuid, task);
    // Clients poll the state, which also shows a failure.
    if (start) exporter.make().catch(() => undefined);
    return exporter.state();
  });
}

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly sources: Sources;
  readonly ai: Ai;
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly log: Log;
}

const retryMs = 10_000;

/** Dubs films into another language: recognises, translates and speaks every sentence and mixes it at its place. */
export function dubbingFeature(context: Context): Feature {
  const { clock, sources } = context;
  const log = context.log.child({ feature: 'dubbing' });
  const studio = new DubbingStudio({ ...context, log });
  const links = new DubbingLinks(context);
  return {
    routes: (http) => {
      dubbingRoutes(http, { studio, sources, links });
      mediaRoutes(http, { studio, links, clock });
    },
    tasks: {
      dubbing: async (signal) => {
        for (let isResumed = false; !isResumed && !signal.aborted; ) {
          isResumed = await studio.resume().then(
            () => true,
            (error: unknown) => {
              log.warn({ err: error }, 'dubbing could not be resumed, trying again');
              return false;
            },
          );
          if (!isResumed) await clock.pause(retryMs, signal).catch(() => undefined);
        }
      },
    },
    heldSources: studio.projects.heldSources,
    activity: { dubbing: () => studio.activity() },
    close: () => studio.close(),
  };
}
