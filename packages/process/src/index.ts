export { Child, type ChildEnd, type ChildOptions } from './child/child.ts';
export { LineRing } from './child/line-ring.ts';
export { runTool, type ToolEnd, type ToolOptions } from './child/run-tool.ts';
export type { Command } from './child/tether.ts';
export { type FailureCause, failureCauseOf } from './ffmpeg/failure-cause.ts';
export {
  type ConcatEntry,
  concatList,
  type Encoding,
  type Input,
  type Output,
  outputAddress,
  relayArgs,
  silentAudioArgs,
  transcodeArgs,
} from './ffmpeg/ffmpeg-args.ts';
export { ffprobe, type ProbeAnswer, type ProbeTarget } from './ffmpeg/ffprobe.ts';
export { canHide, type HiddenOptions, hiddenText } from './ffmpeg/hidden-options.ts';
export { rebuildAddress } from './ffmpeg/input-address.ts';
export { BackOff, type BackOffOptions } from './supervisor/back-off.ts';
export type { Failure, Observed, Phase, Progress } from './supervisor/observed.ts';
export { type Prepared, PrepareError, type ProcessSpec } from './supervisor/process-spec.ts';
export type { Plan, Scope } from './supervisor/scope.ts';
export { Supervisor } from './supervisor/supervisor.ts';
export type { Timing } from './supervisor/timing.ts';
