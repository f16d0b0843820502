import { join } from 'node:path';
import { transcriptApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Supervisor } from '@weir/process';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { segmentEndMs } from '../../pipelines/pipeline-segment.ts';
import { watchSegments } from '../../pipelines/watch-segments.ts';
import type { SegmentConsumer, SegmentFeed } from '../../segments/segment-feed.ts';
import { FallbackVoiceActivity, type ListenForVoices } from '../../speech/fallback-voice-activity.ts';
import type { InterimPace } from '../../speech/interim/interim-pace.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import { Captions } from './captions.ts';
import { LiveTranscription } from './live-transcription.ts';
import { parseCodecParams } from './output/codec-params.ts';
import { parseForceStyle } from './output/force-style.ts';
import { hlsRoutes, type OutputAccess } from './output/hls-routes.ts';
import { OverlayMaker } from './output/overlay-maker.ts';
import { PipelineRepository } from './pipeline/pipeline-repository.ts';
import { SegmentFiles } from './pipeline/segment-files.ts';
import { TranscriptPipelines } from './pipeline/transcript-pipelines.ts';
import { TranscriptService } from './transcript-service.ts';
import { TranscriptSettings } from './transcript-settings.ts';
import { Translations } from './translation/translations.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly ai: Ai;
  readonly localAi: { readonly listen: ListenForVoices };
  readonly inputs: LiveInputs;
  readonly mediaServer: Pick<MediaServer, 'setSubtitleTracks' | 'addCues'>;
  readonly supervisor: Supervisor;
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly words: Pick<TranscriptIndex, 'keep'>;
  /** Pace shared by all consumers of interim text. */
  readonly pace: InterimPace;
  readonly events: Events;
  readonly access: OutputAccess;
  readonly clock: Clock;
  readonly log: Log;
}

/** Segments that may wait to be linked; each is a matter of milliseconds. */
const mostWaiting = 200;

/** Subtitles for live streams: recognised as they are spoken, shown in outputs of their own. */
export function transcriptFeature(context: Context): Feature {
  const { store, ai, localAi, inputs, supervisor, events, clock, mediaServer, words } = context;
  const log = context.log.child({ feature: 'transcript' });
  const settings = new TranscriptSettings(store);
  const files = new SegmentFiles(join(context.config.filesDir, 'transcript'));
  const look = () => {
    const { overlayEnabled, forceStyle, videoCodecParams } = settings.now;
    if (!overlayEnabled) return undefined;
    return { style: parseForceStyle(forceStyle), codec: parseCodecParams(videoCodecParams) };
  };
  const maker = new OverlayMaker({ files, look, log });
  const lanes: TranscriptPipelines = new TranscriptPipelines({
    repository: new PipelineRepository(store),
    files,
    clock,
    log,
    speechOf: (lane) => listening.speechOf(lane),
    fixSeconds: () => settings.now.fixSeconds,
    output: {
      make: (row, options) => maker.make(row, options),
      settled: (row, cues) => {
        const { vhost, app, stream, clientId: epoch, startMs, id: segmentId, atMs, durationMs } = row;
        const span = { startMs: startMs ?? 0, endMs: segmentEndMs(row) };
        const place = { vhost, app, stream, epoch, segmentId, language: settings.now.lang };
        const dateMs = atMs - durationMs;
        words.keep({ ...place, kind: 'speech', startMs: span.startMs, dateMs, cues });
        events.emit('transcript:settled', { ...place, ...span, dateMs, cues });
      },
    },
  });
  const listening: LiveTranscription = new LiveTranscription({
    recognition: {
      ai,
      clock,
      pace: context.pace,
      ask: () => ({ provider: settings.provider, language: settings.now.lang }),
      activity: (listener) => new FallbackVoiceActivity(listener, (signal) => localAi.listen(signal)),
    },
    settings,
    lanes,
    inputs,
    supervisor,
    fileOf: (row) => files.org(row),
    onHeard: (lane, heard, told) => {
      lane.hear(heard).catch((error: unknown) => log.warn({ err: error }, 'a text could not be saved'));
      const { epoch, language, isLate, cues } = heard;
      const late = isLate && { isMissed: true };
      if (told) for (const cue of cues) events.emit('cue:spoken', { ...told, ...late, epoch, language, ...cue });
    },
    captions: new Captions({
      mediaServer,
      events,
      log,
      language: () => settings.now.lang,
      translations: () => settings.now.translations,
    }),
  });
  events.on('inputs:changed', () => listening.wake());
  const translations = new Translations({ ai, clock, events, words, settings });
  const service = new TranscriptService({ ai, settings, segments: context.segments, lanes, listening, translations });
  const consumer: SegmentConsumer = {
    name: 'transcript',
    most: mostWaiting,
    isOn: async () => (await settings.read()).all,
    async take(segment) {
      await lanes.load();
      // Read, because the first ones come before anything else was.
      if ((await settings.read()).all) await lanes.taking(segment)?.add(segment);
    },
    miss(segment) {
      if (settings.now.all) lanes.taking(segment)?.miss();
    },
  };
  return {
    routes: (http) => {
      transcriptRoutes(http, service);
      const languages = () => ({ language: settings.now.lang, translations: settings.now.translations });
      hlsRoutes(http, { lanes, files, languages, translations, access: context.access });
    },
    tasks: { transcript: watchSegments({ resume: () => service.resume(), pipelines: () => lanes.all, clock, log }) },
    segments: [consumer],
    activity: { transcript: () => service.activity() },
    close: async () => {
      listening.close();
      translations.close();
      for (const lane of lanes.all) await lane.stop();
    },
  };
}

/** Routes of the transcript. The test of a provider has its path here, but the AI settings implement it. */
function transcriptRoutes(http: HttpApp, service: TranscriptService): void {
  http.route(transcriptApi.query, () => service.query());
  http.route(transcriptApi.apply, (change) => service.apply(change));
  http.route(transcriptApi.streams, ({ streams }) => service.choose(streams));
  http.route(transcriptApi.captions, ({ uuid, enabled }) => service.caption(uuid, enabled));
  http.route(transcriptApi.reset, ({ uuid }) => service.reset(uuid));
  http.route(transcriptApi.clearSubtitle, ({ uuid, tsid }) => service.clear(uuid, tsid));
  http.route(transcriptApi.edit, (edit) => service.edit(edit));
  http.route(transcriptApi.state, () => service.state());
  http.route(transcriptApi.lines, ({ uuid }) => service.lines(uuid));
  http.route(transcriptApi.languages, () => service.languages());
  http.route(transcriptApi.liveQueue, ({ uuid }) => service.queue('live', uuid));
  http.route(transcriptApi.asrQueue, ({ uuid }) => service.queue('asr', uuid));
  http.route(transcriptApi.fixQueue, ({ uuid }) => service.queue('fix', uuid));
  http.route(transcriptApi.overlayQueue, ({ uuid }) => service.queue('overlay', uuid));
}
