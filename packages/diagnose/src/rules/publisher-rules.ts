import type { Rule, StreamSeen } from '../rule.ts';
import { mean, sum } from '../sample-view.ts';

/** Bits for each pixel of each frame, below which H.264 shows blocks. Newer codecs need about half. */
const leastBitsPerPixel = { H264: 0.006, other: 0.003 };
/** Slides need next to nothing. */
const leastFps = 15;
const reconnectsMs = 10 * 60_000;

/** What arrives from the publisher, and how. */
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
      if (paces.length < 8 || pace >= 0.93 || kbps === 0) return undefined;
      return { severity: 'bad', sinceMs: samples.agoMs(8), numbers: { percent: pace * 100, kbps } };
    },
  },
  {
    // It keeps up on average and arrives in bursts: a line that stops and catches up.
    id: 'bitrate-unstable',
    find({ samples }) {
      const paces = samples.last('pace', 60);
      const poor = paces.filter((pace) => pace < 0.5).length;
      if (paces.length < 30 || mean(paces) < 0.93 || poor < paces.length * 0.1) return undefined;
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
    find({ samples, facts: { announcedFps } }) {
      const fps = mean(samples.last('fps', 10));
      // A line that is too slow is the cause, and said so.
      const isLate = mean(samples.last('pace', 10)) < 0.93;
      if (announcedFps <= 0 || samples.length < 15 || fps === 0 || isLate || fps >= announcedFps * 0.85)
        return undefined;
      return { severity: 'warn', sinceMs: samples.agoMs(10), numbers: { fps, announced: announcedFps } };
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
    find({ samples }) {
      const sinceMs = samples.held('rttMs', 8, (ms) => ms > 300);
      return sinceMs === undefined
        ? undefined
        : { severity: 'warn', sinceMs, numbers: { ms: mean(samples.last('rttMs', 8)) } };
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
