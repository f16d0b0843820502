export * from './stream-place.ts';
