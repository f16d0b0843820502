export * from './addresses/decoded-text.ts';
export * from './addresses/ip-address.ts';
export * from './addresses/networks.ts';
export * from './addresses/own-place.ts';
export * from './addresses/stream-addresses.ts';
export * from './asked-stream.ts';
export {
  type ClientHook,
  clientHookBody,
  type EngineRefusal,
  engineRefusals,
  type HookClient,
  type HookProtocol,
  hookPaths,
  hookTokenHeader,
  type PublisherEnd,
  parseClientHook,
} from './client-hook.ts';
export * from './compare-texts.ts';
export { MalformedHook } from './hook-fields.ts';
export * from './keyframe-path.ts';
export * from './samples.ts';
export * from './segments/byte-range.ts';
export * from './segments/finished-segment.ts';
export { entryName, parseEntryName } from './segments/segment-entry.ts';
export * from './segments/segment-format.ts';
export * from './segments/segment-hook.ts';
export * from './srt-stream-id.ts';
export * from './stream-place.ts';
export * from './subtitles.ts';
