import type { Rule, StreamSeen } from '../rule.ts';
import { mean } from '../sample-view.ts';

/** Time after which a track that has not appeared counts as missing. */
const settleMs = 10_000;

function settledMs({ facts: { nowMs, publishedAtMs = nowMs } }: StreamSeen): number | undefined {
  return nowMs - publishedAtMs >= settleMs ? publishedAtMs : undefined;
}

/** Rules about tracks: presence, sync and playability. */
export const trackRules: readonly Rule<StreamSeen>[] = [
  {
    id: 'video-none',
    find(seen) {
      const { media } = seen.facts;
      const sinceMs = settledMs(seen);
      return sinceMs !== undefined && media && !media.video && media.audio ? { severity: 'warn', sinceMs } : undefined;
    },
  },
  {
    id: 'audio-none',
    find(seen) {
      const { media } = seen.facts;
      const sinceMs = settledMs(seen);
      return sinceMs !== undefined && media?.video && !media.audio ? { severity: 'warn', sinceMs } : undefined;
    },
  },
  {
    id: 'audio-silent',
    find({ samples, facts: { isSilenceWanted } }) {
      if (isSilenceWanted) return undefined;
      // Encoders pad a frame every few seconds, which then looks like sound.
      const sinceMs = samples.held('silence', 6, (share) => share > 0.9);
      const seconds = sinceMs === undefined ? 0 : ((samples.newestMs ?? sinceMs) - sinceMs) / 1000 + 1;
      return sinceMs === undefined ? undefined : { severity: 'warn', sinceMs, numbers: { seconds } };
    },
  },
  {
    // MPEG-TS muxers send audio up to 700 ms apart from its video; players wait for it.
    id: 'av-offset',
    find({ samples }) {
      const sinceMs = samples.held('avOffsetMs', 8, (ms) => Math.abs(ms) > 1500);
      if (sinceMs === undefined) return undefined;
      return { severity: 'warn', sinceMs, numbers: { ms: Math.abs(mean(samples.last('avOffsetMs', 8))) } };
    },
  },
  {
    id: 'av-drift',
    find({ samples }) {
      if (samples.length < 90) return undefined;
      const [early, late] = [samples.first('avOffsetMs', 20), samples.last('avOffsetMs', 20)];
      const drift = Math.abs(mean(late) - mean(early));
      // A single step is a break in the timestamps; a drift shows in the middle as well.
      const middle = samples.last('avOffsetMs', Math.floor(samples.length / 2)).slice(0, 20);
      const share = Math.abs(mean(middle) - mean(early)) / (drift || 1);
      if (early.length < 20 || late.length < 20 || drift < 250 || share < 0.2 || share > 0.8) return undefined;
      const numbers = { ms: drift, minutes: samples.length / 60 };
      return { severity: 'warn', sinceMs: samples.agoMs(samples.length), numbers };
    },
  },
  {
    id: 'profile-unplayable',
    find(seen) {
      const { video } = seen.facts.media ?? {};
      const sinceMs = seen.facts.publishedAtMs ?? 0;
      const isOdd = video?.codec === 'H264' && /4:2:2|4:4:4|\b10\b/.test(video.profile);
      return isOdd ? { severity: 'bad', sinceMs, subject: video.profile } : undefined;
    },
  },
  {
    id: 'codec-limited',
    find({ facts: { media, publishedAtMs = 0 } }) {
      const codec = media?.video?.codec ?? '';
      return ['AV1', 'VP9'].includes(codec) ? { severity: 'warn', sinceMs: publishedAtMs, subject: codec } : undefined;
    },
  },
  {
    id: 'hevc-limited',
    find({ facts: { media, publishedAtMs = 0 } }) {
      return media?.video?.codec === 'H265' ? { severity: 'warn', sinceMs: publishedAtMs } : undefined;
    },
  },
];
