export * from './asked-stream.ts';
export * from './byte-range.ts';
export {
  type ClientHook,
  clientHookBody,
  type EngineRefusal,
  engineRefusals,
  type HookClient,
  type HookProtocol,
  hookPaths,
  hookTokenHeader,
  parseClientHook,
} from './client-hook.ts';
export * from './finished-segment.ts';
export { MalformedHook } from './hook-fields.ts';
export * from './ip-address.ts';
export * from './network-of.ts';
export * from './own-place.ts';
export { entryName, parseEntryName } from './segment-entry.ts';
export * from './segment-hook.ts';
export * from './srt-stream-id.ts';
export * from './stream-addresses.ts';
export * from './stream-place.ts';
