import { playProtocols } from '@weir/streams';
import type { Rule, StreamSeen } from '../rule.ts';
import { mean, sum } from '../sample-view.ts';

/** Rules about delivery to viewers. */
export const viewerRules: readonly Rule<StreamSeen>[] = [
  {
    // Conversion costs about a core; the next rule reports where it is impossible.
    id: 'b-frames',
    find({ samples, facts: { media, publishedAtMs = 0 } }) {
      const viewers = samples.newest('rtc') ?? 0;
      if (!media?.bFrames || viewers === 0 || media.webrtc?.video !== 'converted') return undefined;
      return { severity: 'warn', sinceMs: publishedAtMs, numbers: { viewers } };
    },
  },
  {
    id: 'webrtc-unavailable',
    find({ samples, facts: { media, publishedAtMs = 0 } }) {
      const viewers = samples.newest('rtc') ?? 0;
      const { video, audio, reason = '' } = media?.webrtc ?? {};
      if (viewers === 0 || (video !== 'unavailable' && audio !== 'unavailable')) return undefined;
      return { severity: 'bad', sinceMs: publishedAtMs, numbers: { viewers }, subject: reason };
    },
  },
  {
    id: 'viewer-rtt',
    find({ samples }) {
      const sinceMs = samples.held('viewerRttMs', 10, (ms) => ms > 400);
      if (sinceMs === undefined) return undefined;
      return { severity: 'warn', sinceMs, numbers: { ms: mean(samples.last('viewerRttMs', 10)) } };
    },
  },
  {
    id: 'viewer-loss',
    find({ samples }) {
      const losses = samples.last('viewerLossPercent', 10);
      const percent = mean(losses);
      if (losses.length < 10 || percent <= 3) return undefined;
      return { severity: 'warn', sinceMs: samples.agoMs(10), numbers: { percent } };
    },
  },
  {
    // Among many viewers a few always have a bad connection.
    id: 'viewers-behind',
    find({ samples }) {
      const viewers = viewersOf(samples);
      const sinceMs = samples.held('slow', 5, (slow) => slow > 0 && slow >= viewers * 0.05);
      if (sinceMs === undefined) return undefined;
      const seconds = Math.max(...samples.last('behindMs', 5)) / 1000;
      return { severity: 'warn', sinceMs, numbers: { slow: samples.newest('slow') ?? 0, viewers, seconds } };
    },
  },
  {
    // A single slow viewer has a slow connection; if half of them are slow, this server is.
    id: 'viewers-slow',
    find({ samples }) {
      const dropped = sum(samples.last('dropped', 30));
      const frames = mean(samples.last('fps', 30)) * 30;
      const viewers = viewersOf(samples);
      if (viewers === 0 || frames === 0 || dropped < frames * viewers * 0.1) return undefined;
      return { severity: 'warn', sinceMs: samples.agoMs(30), numbers: { dropped, viewers } };
    },
  },
];

function viewersOf(samples: StreamSeen['samples']): number {
  return sum(playProtocols.map((protocol) => samples.newest(protocol) ?? 0));
}
