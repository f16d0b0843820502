export {
  type ClientHook,
  clientHookBody,
  type HookClient,
  type HookProtocol,
  type PublisherEnd,
} from './client-hook.ts';
export * from './engine-api.ts';
export { decodeReply, done, type EngineCall, encodeRequest, missingCode } from './engine-call.ts';
export * from './engine-hooks.ts';
export * from './finished-segment.ts';
export type { EngineHealth, ListenerState, WorkerExits, WorkerName } from './health.ts';
export type { LadderPlan, LadderState, LadderStatus } from './ladders.ts';
export * from './play-access.ts';
export * from './private-headers.ts';
export {
  decodeInputChoice,
  type InputChoice,
  type InputSample,
  type ProgramFault,
  type ProgramPlan,
  type ProgramReport,
  type ProgramStatus,
  type ProtocolGap,
  slateFolder,
} from './programs.ts';
export * from './rewind.ts';
export type { EngineSamples, EngineServerSamples, EngineStreamSamples } from './samples.ts';
export { mostListedViewers } from './samples.ts';
export { besideEntry, entryName, parseEntryName } from './segment-entry.ts';
export * from './segment-hook.ts';
export type { EngineSettings, HlsSettings } from './settings.ts';
