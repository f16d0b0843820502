export * from './asked-stream.ts';
export * from './byte-range.ts';
export * from './ip-address.ts';
export * from './network-of.ts';
export * from './own-place.ts';
export * from './srt-stream-id.ts';
export * from './stream-place.ts';
