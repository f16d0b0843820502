import type { PlatformPreset } from './presets.ts';

/** Video as it is published. */
export interface PublishedVideo {
  readonly height: number;
  readonly fps: number;
  readonly kbps: number;
}

interface BitrateAdvice {
  readonly verdict: 'fits' | 'low' | 'high';
  readonly height: number;
  readonly fps: number;
  /** In kbit/s. */
  readonly least: number;
  readonly most: number;
}

type Range = readonly [least: number, most: number];
type Class = '1080p60' | '1080p30' | '720p60' | '720p30' | 'small';

/** Bitrates that platforms recommend for H.264, in Mbit/s. */
const advised: Readonly<Record<PlatformPreset, Readonly<Record<Class, Range>>>> = {
  youtube: { '1080p60': [4, 12], '1080p30': [3, 10], '720p60': [3, 8], '720p30': [2, 8], small: [0.4, 4] },
  twitch: { '1080p60': [4.5, 6], '1080p30': [3.5, 6], '720p60': [3.5, 6], '720p30': [2.5, 6], small: [0.4, 3] },
  facebook: { '1080p60': [4.5, 9], '1080p30': [3, 6], '720p60': [2.5, 6], '720p30': [2, 4], small: [0.4, 2] },
  weixin: { '1080p60': [4, 6], '1080p30': [3, 6], '720p60': [2, 4], '720p30': [1.5, 4], small: [0.4, 2] },
  bilibili: { '1080p60': [4, 8], '1080p30': [3, 6], '720p60': [2.5, 5], '720p30': [2, 4], small: [0.4, 3] },
  kuaishou: { '1080p60': [4, 8], '1080p30': [3, 6], '720p60': [2.5, 5], '720p30': [2, 4], small: [0.4, 2] },
};

/** Compares a stream with what a platform recommends; undefined until size and bitrate are known. */
export function adviseBitrate(
  preset: PlatformPreset,
  { height, fps, kbps }: PublishedVideo,
): BitrateAdvice | undefined {
  if (height <= 0 || kbps <= 0) return undefined;
  const [low, high] = advised[preset][classOf(height, fps)];
  const [least, most] = [low * 1000, high * 1000];
  const verdict = kbps > most ? 'high' : kbps < least ? 'low' : 'fits';
  return { verdict, height, fps: Math.round(fps), least, most };
}

/** Callers pass the shorter side, so that portrait video counts alike. */
function classOf(height: number, fps: number): Class {
  if (height < 700) return 'small';
  const size = height >= 1000 ? '1080p' : '720p';
  return `${size}${fps > 32 ? 60 : 30}`;
}
