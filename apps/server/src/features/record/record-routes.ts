import { recordApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { RecordService } from './record-service.ts';

export function recordRoutes(http: HttpApp, service: RecordService): void {
  http.route(recordApi.query, () => service.query());
  http.route(recordApi.apply, ({ all }) => service.apply(all));
  http.route(recordApi.globs, ({ globs }) => service.setGlobs(globs));
  http.route(recordApi.postProcessing, ({ postProcess, postCpDir }) =>
    service.setPostProcessing(postProcess, postCpDir),
  );
  http.route(recordApi.subtitles, ({ subtitles }) => service.setSubtitles(subtitles));
  http.route(recordApi.storage, (rule) => service.setStorage(rule));
  http.route(recordApi.files, () => service.list());
  http.route(recordApi.end, ({ uuid }) => service.end(uuid));
  http.route(recordApi.remove, ({ uuid }) => service.remove(uuid));
  http.route(recordApi.retry, ({ uuid }) => service.retry(uuid));
  http.route(recordApi.sign, ({ uuid }) => service.sign(uuid));
}
