import type { HlsSettings } from '@weir/engine-api';

export interface HlsRules {
  readonly fragmentMs: number;
  readonly windowMs: number;
  readonly playlistMaxAgeSeconds: number;
}

const ordinary: HlsRules = Object.freeze({ fragmentMs: 10_000, windowMs: 60_000, playlistMaxAgeSeconds: 10 });
const shortRules: HlsRules = Object.freeze({ fragmentMs: 2000, windowMs: 16_000, playlistMaxAgeSeconds: 1 });

export function toHlsRules(settings: HlsSettings): HlsRules {
  return settings.shortSegments ? shortRules : ordinary;
}

/** The first segment, if it finds no keyframe to end at, ends anyway at this many times its length. Others keep to the target duration. */
export const overflowRatio = 2.1;
/** Files and numbering outlive the last packet by this: a publisher that returns within it continues them. */
export const disposeMs = 15_000;
