export {
  type Boot,
  type LauncherLink,
  type LauncherMessage,
  ownTokenParameter,
  type PlaneExit,
  type PlaneMessage,
  type PlaneName,
  type PlaneState,
  type PlaneStates,
  type ReadyFacts,
} from './boot.ts';
export type { Config, Listen } from './config.ts';
export { descriptorLimit } from './descriptors.ts';
export { HiddenTexts } from './hidden-texts.ts';
export { keepAccepting } from './keep-accepting.ts';
export { createLog, type Log } from './log.ts';
export { Patience } from './patience.ts';
export { isPreviewTicket, previewParameter, previewTicket } from './preview-ticket.ts';
export { listenOnSocket } from './private-socket.ts';
export { Repeats } from './repeats.ts';
export { type RunningPlane, runPlane, StartError } from './run-plane.ts';
export { scrub } from './scrub.ts';
export { TaskGroup } from './task-group.ts';
export { WatchClock } from './watch-clock.ts';
