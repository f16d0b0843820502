import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that count frames or milliseconds, load a core, or depend on built-in AI keeping up with live streams: beside
 * other built-in AI and many browsers they would fail, or make others fail. They run three at a time, beside nothing else.
 */
export const apart = [
  'apps/engine/src/servers/srt/srt-players.test.ts',
  'tests/planes/{attacks,lifecycle,restart}.test.ts',
  'tests/media/{diagnosis,matrix,never-read,obs,restart-control-plane,small-machine,srt}.test.ts',
  'tests/media/playback/{low-latency-browser,slow-viewers}.test.ts',
  'tests/media/webrtc/*.test.ts',
  'tests/media/work/record.test.ts',
  'tests/e2e/captions.test.ts',
  'tests/e2e/ai/talk.test.ts',
];

/**
 * Judges every frame and sample of four players at once, which takes both cores, or every word of built-in AI, which yields to all other work:
 * one at a time, when everything else is done.
 */
export const alone = ['tests/media/playback/{heard-and-seen,tone}.test.ts', 'tests/ai/transcript.test.ts'];

/**
 * Tests that look at the memory, files or timers of their own process or of its children, which therefore no other test
 * may have used.
 */
export const measuring = [
  'apps/engine/src/front-door/control/control-proxy.test.ts',
  'apps/engine/src/hub/own-memory.test.ts',
  'apps/engine/src/packagers/hls/constant-clock.test.ts',
  'apps/engine/src/servers/hls/viewers/hls-viewers.test.ts',
  'apps/engine/src/servers/srt/worker/libsrt/srt-handshake.test.ts',
  'apps/server/src/core/http/local-program.test.ts',
  'apps/server/src/outlets/own-sources.test.ts',
  'packages/media/src/protocols/rtmp/chunks/chunk-reader.test.ts',
  'packages/media/src/protocols/rtmp/rtmp-fuzz.test.ts',
];

/** Soaks with days of segments or a thousand peers: part of the whole run only. */
export const soaks = [
  'apps/engine/src/servers/webrtc/transport/own/own-port-leaves.test.ts',
  'apps/server/src/features/ocr/pipeline/ocr-soak.test.ts',
  'apps/server/src/features/record/record-soak.test.ts',
  'apps/server/src/features/transcript/pipeline/pipeline-soak.test.ts',
];

/** Ten seconds and more, most of them of ffmpeg: part of the whole run only, so that `--quick` is. */
export const lengthy = [
  'apps/server/src/ai/ai-service.test.ts',
  'apps/server/src/ai/local/local-ai-supervisor.test.ts',
  'apps/server/src/core/store/store-kill.test.ts',
  'apps/server/src/core/store/redis/{redis-failover,redis-kills}.test.ts',
  'apps/engine/src/front-door/fast-path/delivered-answers.test.ts',
  'apps/engine/src/hub/program/{conformed-source,slate/slates}.test.ts',
  'apps/engine/src/servers/srt/{srt-line-faults,srt-server}.test.ts',
  'apps/engine/src/servers/webrtc/transport/rtc-transport.test.ts',
  'apps/engine/src/workers/delivery/delivery.test.ts',
  'apps/server/src/features/dubbing/{dubbing-feature,dubbing-faults,dubbing-studio,exporter}.test.ts',
  'apps/server/src/features/ocr/pipeline/ocr-pipeline.test.ts',
  'apps/server/src/features/record/finish/{finished-files,finisher,make-mp4}.test.ts',
  'packages/media/src/codecs/video-records.test.ts',
  'packages/media/src/containers/{fmp4/fmp4-muxer,mp4/mp4-pieces,mpegts/mpegts-muxer}.test.ts',
];

/**
 * Half a minute and more each, as a whole run lists them: begun last, one of them would run for long while the other workers have nothing to do.
 * Those with built-in AI, which leaves no core idle, are not neighbours.
 */
export const longest = [
  'tests/e2e/every-page.test.ts',
  'tests/e2e/newcomer.test.ts',
  'tests/media/work/transcript.test.ts',
  'tests/e2e/ai/dubbing.test.ts',
  'tests/e2e/control-room/program.test.ts',
  'tests/media/work/transcode.test.ts',
  'tests/media/work/dubbing.test.ts',
  'tests/e2e/console.test.ts',
  'tests/e2e/pages/players.test.ts',
  'tests/media/work/vlive.test.ts',
  'tests/e2e/ai/transcript.test.ts',
  'tests/e2e/pages/watch.test.ts',
  'tests/e2e/pages/talk.test.ts',
  'tests/media/work/record-faults.test.ts',
  'tests/e2e/record.test.ts',
  'tests/media/work/forward.test.ts',
  'tests/e2e/pages/webrtc.test.ts',
  'tests/planes/pair.test.ts',
  'tests/media/work/ocr.test.ts',
  'tests/e2e/settings.test.ts',
  'tests/media/stand-still.test.ts',
  'tests/e2e/ai/settings.test.ts',
  // Files of `apart`. Those that wait more than they work leave time for built-in AI; playing browsers are spread out.
  'tests/e2e/ai/talk.test.ts',
  'tests/media/diagnosis.test.ts',
  'tests/media/srt.test.ts',
  'tests/media/webrtc/qualities.test.ts',
  'tests/media/webrtc/webrtc.test.ts',
  'tests/e2e/captions.test.ts',
  'tests/media/work/record.test.ts',
  'apps/engine/src/servers/srt/srt-players.test.ts',
  'tests/planes/lifecycle.test.ts',
  'tests/planes/attacks.test.ts',
  'tests/media/never-read.test.ts',
];

/** Projects that are begun together, the longest files first. A process that goes on with a file of another project must be started anew. */
const projectsInOrder = ['soak', 'lengthy', 'measuring', 'unit'];

/** On a machine that has never run them, the runner knows no durations and would go by the size of files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const placeOf = ({ project }: TestSpecification) => projectsInOrder.indexOf(project.name);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return rank === -1 ? longest.length : rank;
    };
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b));
  }
}
