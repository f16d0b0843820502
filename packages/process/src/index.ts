export { BackOff, type BackOffOptions } from './back-off.ts';
export { Child, type ChildEnd, type ChildOptions } from './child.ts';
export { type FailureCause, failureCauseOf } from './failure-cause.ts';
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
} from './ffmpeg-args.ts';
export { ffprobe, type ProbeAnswer, type ProbeTarget } from './ffprobe.ts';
export { canHide, type HiddenOptions, hiddenText } from './hidden-options.ts';
export { rebuildAddress } from './input-address.ts';
export { LineRing } from './line-ring.ts';
export type { Failure, Observed, Phase, Progress } from './observed.ts';
export { type Prepared, PrepareError, type ProcessSpec } from './process-spec.ts';
export type { Plan, Scope } from './scope.ts';
export { Supervisor } from './supervisor.ts';
export type { Command } from './tether.ts';
export type { Timing } from './timing.ts';
