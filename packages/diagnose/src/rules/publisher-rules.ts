import type { Rule, StreamSeen } from '../rule.ts';
import { mean, quantile, sum } from '../sample-view.ts';

/** Bits for each pixel of each frame, below which H.264 shows blocks. Newer codecs need about half. */
const leastBitsPerPixel = { H264: 0.006, other: 0.003 };
/** Slides need next to nothing. */
const leastFps = 15;
const reconnectsMs = 10 * 60_000;
/** Above the first a line is long. Above the second no distance explains it, satellites included: packets wait in a full queue. */
const longWayMs = 300;
const fullQueueMs = 1000;
/** Below this part of the frames that should come, video stutters. */
const stutterShare = 0.6;
/** Below this pace media comes slower than it plays. */
const leastPace = 0.93;

/** Median round trip of the last seconds; 0 where it is not known. A single late answer says nothing. */
function roundTripMs({ samples }: StreamSeen): number {
  const known = samples.last('rttMs', 8);
  return known.length < 6 ? 0 : quantile(known);
}

/** Frames per second that should come: as announced, or else as many as came before; 0 where neither is known. */
function expectedFps({ samples, facts: { announcedFps } }: StreamSeen): number {
  if (announcedFps > 0) return announcedFps;
  const before = samples.last('fps', samples.length).slice(0, -20);
  return before.length < 30 ? 0 : quantile(before, 0.9);
}

/** More is sent than the line carries, which a sender via WebRTC answers with fewer frames: media keeps its pace, late and poor. */
function isUplinkFull(seen: StreamSeen): boolean {
  const { samples } = seen;
  const rttMs = roundTripMs(seen);
  const fps = mean(samples.last('fps', 10));
  const isStuttering = samples.length >= 15 && fps > 0 && fps < expectedFps(seen) * stutterShare;
  return rttMs > fullQueueMs || (rttMs > longWayMs && isStuttering);
}

function isLate({ samples }: StreamSeen, seconds: number): boolean {
  return mean(samples.last('pace', seconds)) < leastPace;
}

/** Rules about the media from the publisher. */
export const publisherRules: readonly Rule<StreamSeen>[] = [
  {
    id: 'stalled',
    find({ samples }) {
      const sinceMs = samples.held('inKbps', 4, (kbps) => kbps === 0);
      const seconds = sinceMs === undefined ? 0 : ((samples.newestMs ?? sinceMs) - sinceMs) / 1000 + 1;
      return sinceMs === undefined ? undefined : { severity: 'bad', sinceMs, numbers: { seconds } };
    },
  },
  {
    // Media comes slower than it plays: the line of the publisher, or its encoder, does not keep up.
    id: 'uplink-slow',
    find({ samples }) {
      const paces = samples.last('pace', 8);
      const pace = mean(paces);
      const kbps = mean(samples.last('inKbps', 8));
      if (paces.length < 8 || pace >= leastPace || kbps === 0) return undefined;
      return { severity: 'bad', sinceMs: samples.agoMs(8), numbers: { percent: pace * 100, kbps } };
    },
  },
  {
    id: 'uplink-full',
    find(seen) {
      const { samples } = seen;
      const kbps = mean(samples.last('inKbps', 8));
      // Slow or missing media has a rule of its own.
      if (isLate(seen, 8) || kbps === 0 || !isUplinkFull(seen)) return undefined;
      const numbers = { ms: roundTripMs(seen), kbps, fps: mean(samples.last('fps', 10)) };
      return { severity: 'bad', sinceMs: samples.agoMs(8), numbers };
    },
  },
  {
    // A connection that stops and catches up keeps its average rate and delivers in bursts.
    id: 'bitrate-unstable',
    find({ samples }) {
      const paces = samples.last('pace', 60);
      const poor = paces.filter((pace) => pace < 0.5).length;
      if (paces.length < 30 || mean(paces) < leastPace || poor < paces.length * 0.1) return undefined;
      const kbps = samples.last('inKbps', 60);
      const numbers = { least: Math.min(...kbps), most: Math.max(...kbps) };
      return { severity: 'warn', sinceMs: samples.agoMs(60), numbers };
    },
  },
  {
    id: 'bitrate-low',
    find({ samples, facts: { media } }) {
      const { video } = media ?? {};
      const fps = mean(samples.last('fps', 20));
      const kbps = mean(samples.last('inKbps', 20)) - mean(samples.last('audioKbps', 20));
      if (!video || video.width * video.height === 0 || samples.length < 20 || fps < leastFps || kbps <= 0)
        return undefined;
      const least = video.codec === 'H264' ? leastBitsPerPixel.H264 : leastBitsPerPixel.other;
      const wanted = (video.width * video.height * fps * least) / 1000;
      if (kbps >= wanted) return undefined;
      const numbers = { kbps, wanted, width: video.width, height: video.height };
      return { severity: 'warn', sinceMs: samples.agoMs(20), numbers };
    },
  },
  {
    id: 'keyframes-far',
    find({ samples }) {
      const sinceMs = samples.held('keyframeMs', 2, (ms) => ms > 5000);
      const seconds = (samples.newest('keyframeMs') ?? 0) / 1000;
      if (sinceMs === undefined) return undefined;
      return { severity: seconds > 10 ? 'bad' : 'warn', sinceMs, numbers: { seconds } };
    },
  },
  {
    id: 'fps-low',
    find(seen) {
      const { samples, facts } = seen;
      const announced = facts.announcedFps;
      const fps = mean(samples.last('fps', 10));
      // A line that is too slow is the cause, and said so.
      if (isLate(seen, 10) || isUplinkFull(seen)) return undefined;
      if (announced <= 0 || samples.length < 15 || fps === 0 || fps >= announced * 0.85) return undefined;
      return { severity: 'warn', sinceMs: samples.agoMs(10), numbers: { fps, announced } };
    },
  },
  {
    id: 'timestamps',
    find({ samples }) {
      const jumps = sum(samples.last('jumps', 60));
      if (jumps < 1) return undefined;
      return { severity: jumps >= 5 ? 'bad' : 'warn', sinceMs: samples.agoMs(60), numbers: { count: jumps } };
    },
  },
  {
    id: 'reconnects',
    find({ facts: { nowMs, publishedMs } }) {
      const lately = publishedMs.filter((atMs) => nowMs - atMs < reconnectsMs);
      if (lately.length < 4) return undefined;
      const numbers = { count: lately.length - 1, minutes: reconnectsMs / 60_000 };
      return { severity: 'warn', sinceMs: Math.min(...lately), numbers };
    },
  },
  {
    id: 'publisher-rtt',
    find(seen) {
      const ms = roundTripMs(seen);
      if (ms <= longWayMs || isUplinkFull(seen)) return undefined;
      return { severity: 'warn', sinceMs: seen.samples.agoMs(8), numbers: { ms } };
    },
  },
  {
    id: 'publisher-loss',
    find({ samples }) {
      const losses = samples.last('lossPercent', 10);
      // The worst second is left out: after a blackout everything that was sent meanwhile counts as lost in one.
      const percent = mean(losses.toSorted((a, b) => a - b).slice(0, -1));
      if (losses.length < 6 || percent <= 2) return undefined;
      return { severity: percent > 8 ? 'bad' : 'warn', sinceMs: samples.agoMs(losses.length), numbers: { percent } };
    },
  },
];
