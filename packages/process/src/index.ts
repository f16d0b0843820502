export { Child, type ChildEnd, linkDescriptor, sharedDescriptor } from './child/child.ts';
export { logLines } from './child/log-lines.ts';
export { runTool, type ToolOptions } from './child/run-tool.ts';
export type { FailureCause } from './ffmpeg/failure-cause.ts';
export {
  concatList,
  fileOptions,
  type Input,
  isPlaylist,
  type Output,
  outputAddress,
  relayArgs,
  sampleArgs,
  segmentSpeechArgs,
  silentAudioArgs,
  speechArgs,
  stillOptions,
  transcodeArgs,
} from './ffmpeg/ffmpeg-args.ts';
export { ffprobe, type ProbeTarget } from './ffmpeg/ffprobe.ts';
export { canHide, type HiddenOptions, hiddenText } from './ffmpeg/hidden-options.ts';
export { rebuildAddress } from './ffmpeg/input-address.ts';
export { ladderArgs, ladderDecodeArgs, ladderTestFilmArgs, measuredCpuMs } from './ffmpeg/ladder-args.ts';
export { type Snapshot, snapshot } from './ffmpeg/snapshot.ts';
export { ManagedProcess } from './managed/managed-process.ts';
export { residentBytes } from './managed/resident-bytes.ts';
export type { Observed, Progress, WorkChange } from './supervisor/observed.ts';
export { type Prepared, PrepareError, type ProcessSpec } from './supervisor/process-spec.ts';
export type { Scope } from './supervisor/scope.ts';
export { Supervisor } from './supervisor/supervisor.ts';
