export type { Config } from './config.ts';
export type { Listen } from './config-values.ts';
export {
  decidePlay,
  type PlayGrant,
  type PlayVerdict,
  passwordClaim,
} from './decide-play.ts';
export type {
  Boot,
  LauncherLink,
  LauncherMessage,
  PlaneMessage,
  PlaneName,
  PlaneState,
  PlaneStates,
  ReadyFacts,
} from './life/boot.ts';
export { closeServer } from './life/close-server.ts';
export { descriptorLimit } from './life/descriptors.ts';
export { IdleTimeout } from './life/idle-timeout.ts';
export { keepAccepting } from './life/keep-accepting.ts';
export { listenOnSocket } from './life/private-socket.ts';
export { type RunningPlane, runPlane, StartError } from './life/run-plane.ts';
export { TaskGroup } from './life/task-group.ts';
export { WatchClock } from './life/watch-clock.ts';
export { createLog, type Log } from './log/log.ts';
export { LogRateLimiter } from './log/log-rate-limiter.ts';
export { scrub } from './log/scrub.ts';
export { SecretRedactor } from './log/secret-redactor.ts';
export {
  isOwnTicket,
  isRtcTestTicket,
  ownTicket,
  ownTicketParameter,
  rtcTestParameter,
  rtcTestTicket,
} from './own-ticket.ts';
export { publicKeyOf, writePlaybackToken } from './playback-token.ts';
export { isPreviewTicket, previewParameter, previewTicket } from './preview-ticket.ts';
export { rewindStreamFolder } from './rewind-folder.ts';
export type { SrsConfig } from './srs-config.ts';
export type { RedisAddress, ServerAddress } from './store-address.ts';
