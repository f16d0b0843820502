export type { Config } from './config.ts';
export type { Listen } from './config-values.ts';
export type {
  Boot,
  LauncherLink,
  LauncherMessage,
  PlaneExit,
  PlaneMessage,
  PlaneName,
  PlaneState,
  PlaneStates,
  ReadyFacts,
} from './life/boot.ts';
export { closeServer } from './life/close-server.ts';
export { descriptorLimit } from './life/descriptors.ts';
export { keepAccepting } from './life/keep-accepting.ts';
export { Patience } from './life/patience.ts';
export { listenOnSocket } from './life/private-socket.ts';
export { type RunningPlane, runPlane, StartError } from './life/run-plane.ts';
export { TaskGroup } from './life/task-group.ts';
export { WatchClock } from './life/watch-clock.ts';
export { HiddenTexts } from './log/hidden-texts.ts';
export { createLog, type Log } from './log/log.ts';
export { Repeats } from './log/repeats.ts';
export { scrub } from './log/scrub.ts';
export { isOwnTicket, ownTicket, ownTicketParameter } from './own-ticket.ts';
export { isPreviewTicket, previewParameter, previewTicket } from './preview-ticket.ts';
export type { SrsConfig } from './srs-config.ts';
export type { RedisAddress } from './store-address.ts';
