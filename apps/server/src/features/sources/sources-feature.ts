import { sourceApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import type { Sources } from '../../media-sources/sources.ts';
import { preparedFile } from '../../media-sources/uploads/uploads.ts';

interface Context {
  readonly sources: Sources;
  readonly log: Log;
  readonly clock: Clock;
}

/** Below what the front door waits for an answer. */
const downloadWaitMs = 100_000;
const sweepMs = 3600 * 1000;

/** Calls that prepare sources, under the paths of virtual live but for every feature. */
export function sourcesFeature(context: Context): Feature {
  const { sources } = context;
  return {
    routes: sourcesRoutes(sources),
    tasks: { 'sweep-sources': sweeping(context) },
    close: () => sources.close(),
  };
}

function sourcesRoutes(sources: Sources): Feature['routes'] {
  const { uploads, downloads, folders } = sources;
  return (http) => {
    http.stream(sourceApi.upload, async (body, { params, contentType, length }) => {
      const record = await uploads.whole(params.filename ?? '', { contentType, length }, body);
      return { uuid: record.uuid, target: folders.target(record) };
    });
    http.route(sourceApi.server, async ({ file }) => preparedFile(await sources.takeServerFile(file), folders));
    http.route(sourceApi.streamUrl, ({ url }) => sources.takeStream(url));
    http.route(sourceApi.streamUrlAlias, ({ url }) => sources.takeStream(url));
    http.route(sourceApi.ytdl, async ({ url }) => preparedFile(await downloads.bring(url, downloadWaitMs), folders));

    http.route(sourceApi.beginUpload, ({ name, size }) => uploads.begin(name, size));
    http.route(sourceApi.uploads, () => uploads.list());
    http.stream(sourceApi.append, (body, { params }) => {
      const offset = /^\d{1,15}$/.test(params.offset ?? '') ? Number(params.offset) : Number.NaN;
      if (Number.isNaN(offset)) throw new WeirError('invalid_input', 'offset: must be a whole number');
      return uploads.append(params.uuid ?? '', offset, body);
    });
    http.route(sourceApi.finishUpload, async ({ uuid }) => preparedFile(await uploads.finish(uuid), folders));
    http.route(sourceApi.cancelUpload, ({ uuid }) => uploads.cancel(uuid));

    http.route(sourceApi.beginDownload, ({ url }) => downloads.begin(url));
    http.route(sourceApi.downloads, () => downloads.list());
    http.route(sourceApi.cancelDownload, ({ uuid }) => downloads.cancel(uuid));

    http.route(sourceApi.library, ({ kind }) => sources.library(kind));
    http.picture(sourceApi.picture, ({ uuid }) => sources.picture(uuid));
    http.route(sourceApi.removeFromLibrary, ({ uuid }) => sources.remove(uuid));
  };
}

/** Removes unused sources at start and every hour. Retries after a store failure an hour later. */
function sweeping({ sources, log, clock }: Context): Task {
  return async (signal) => {
    while (!signal.aborted) {
      await sources.sweep().catch((error: unknown) => log.warn({ err: error }, 'unused sources could not be removed'));
      await clock.pause(sweepMs, signal).catch(() => undefined);
    }
  };
}
