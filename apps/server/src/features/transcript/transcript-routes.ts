import { transcriptApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { TranscriptService } from './transcript-service.ts';

/** Wire ↔ service. The test of a provider, which has its path here, is the business of the AI settings. */
export function transcriptRoutes(http: HttpApp, service: TranscriptService): void {
  http.route(transcriptApi.query, () => service.query());
  http.route(transcriptApi.apply, (change) => service.apply(change));
  http.route(transcriptApi.streams, ({ streams }) => service.choose(streams));
  http.route(transcriptApi.captions, ({ uuid, enabled }) => service.caption(uuid, enabled));
  http.route(transcriptApi.reset, ({ uuid }) => service.reset(uuid));
  http.route(transcriptApi.clearSubtitle, ({ uuid, tsid }) => service.clear(uuid, tsid));
  http.route(transcriptApi.edit, (edit) => service.edit(edit));
  http.route(transcriptApi.state, () => service.state());
  http.route(transcriptApi.languages, () => service.languages());
  http.route(transcriptApi.liveQueue, ({ uuid }) => service.queue('live', uuid));
  http.route(transcriptApi.asrQueue, ({ uuid }) => service.queue('asr', uuid));
  http.route(transcriptApi.fixQueue, ({ uuid }) => service.queue('fix', uuid));
  http.route(transcriptApi.overlayQueue, ({ uuid }) => service.queue('overlay', uuid));
}
