import { describe, expect, it } from 'vitest';
import { SenderClock, SharedClock } from '../index.ts';

const pictureMs = 40;
const soundMs = 20;

function clocks() {
  const shared = new SharedClock();
  return { video: new SenderClock('video', 90_000, shared), audio: new SenderClock('audio', 48_000, shared) };
}

interface Call {
  readonly seconds: number;
  /** The receiver is blocked for this time and reads the packets afterwards. */
  readonly stalledMs: readonly [number, number];
  /** Sound is captured from here on, pictures from 0. */
  readonly soundFromMs?: number;
  /** When the first sender report of each track comes. */
  readonly reportsMs?: { readonly audio: number; readonly video: number };
}

/** A picture takes 30 ms to arrive, sound 25. Gives when each should be and is. */
function receive({ seconds, stalledMs: [from, until], soundFromMs = 0, reportsMs }: Call) {
  const tracks = clocks();
  const packets = (kind: 'audio' | 'video', fromMs: number, everyMs: number, delayMs: number) =>
    Array.from({ length: (1000 * seconds - fromMs) / everyMs }, (_, i) => {
      const capturedMs = fromMs + i * everyMs;
      const sentMs = capturedMs + delayMs;
      return { kind, capturedMs, sentMs, readMs: sentMs >= from && sentMs < until ? until : sentMs };
    });
  const all = [...packets('audio', soundFromMs, soundMs, 25), ...packets('video', 0, pictureMs, 30)];
  const placed: { kind: 'audio' | 'video'; capturedMs: number; atMs: number }[] = [];
  const told = new Set<string>();
  for (const { kind, capturedMs, readMs } of all.sort((a, b) => a.readMs - b.readMs || a.sentMs - b.sentMs)) {
    const rate = kind === 'audio' ? 48 : 90;
    if (reportsMs && readMs >= reportsMs[kind] && !told.has(kind)) {
      told.add(kind);
      tracks[kind].onSenderReport(1e12 + capturedMs, (capturedMs * rate) >>> 0);
    }
    placed.push({ kind, capturedMs, atMs: tracks[kind].toMs((capturedMs * rate) >>> 0, readMs) });
  }
  const of = (wanted: string) => placed.filter(({ kind }) => kind === wanted);
  /** Distance between video frames and the audio captured with them. */
  const apartMs = of('video').flatMap(({ capturedMs, atMs }) => {
    const sound = placed.find((other) => other.kind === 'audio' && other.capturedMs === capturedMs);
    return sound ? { capturedMs, ms: Math.abs(atMs - sound.atMs) } : [];
  });
  const stepsMs = (kind: string) => {
    const track = of(kind);
    return track.slice(1).map(({ atMs }, i) => atMs - (track[i]?.atMs ?? 0));
  };
  return { apartMs, stepsMs };
}

describe('SenderClock', () => {
  it.each([
    ['sound, and the first picture waits to be read', [26, 1400], 0],
    ['the first picture, and sound waits to be read', [60, 1400], 120],
    ['nothing for a second, then everything at once', [0, 1000], 0],
    ['everything in time', [0, 0], 0],
  ] as const)('aligns the tracks by arrival, without any report: %s', (_, stalledMs, soundFromMs) => {
    const { apartMs, stepsMs } = receive({ seconds: 6, stalledMs, soundFromMs });
    // By what differs in their delays, 5 ms; at most as long after the stall as the error needs at half the speed.
    expect(apartMs.length).toBeGreaterThan(100);
    const late = apartMs.filter(({ capturedMs, ms }) => capturedMs > 3 * stalledMs[1] && ms > 5.001);
    expect(late).toEqual([]);
    expect(Math.min(...stepsMs('video'))).toBeGreaterThanOrEqual(pictureMs / 2 - 1e-6);
  });

  it('is exact once both tracks were reported, however late the first video frame was', () => {
    const { apartMs, stepsMs } = receive({
      seconds: 6,
      stalledMs: [26, 1400],
      reportsMs: { video: 1400, audio: 3500 },
    });
    expect(Math.max(...apartMs.filter(({ capturedMs }) => capturedMs > 3600).map(({ ms }) => ms))).toBeLessThan(1e-3);
    expect(Math.min(...stepsMs('video'))).toBeGreaterThanOrEqual(pictureMs / 2 - 1e-6);
  });

  it('moves video, and never audio', () => {
    for (const audio of [500, 2500]) {
      const reportsMs = { video: 1000, audio };
      const { stepsMs } = receive({ seconds: 6, stalledMs: [26, 400], reportsMs });
      for (const step of stepsMs('audio')) expect(step).toBeCloseTo(soundMs, 6);
    }
  });

  it('follows audio whose clock falls behind, by its reports', () => {
    const { video, audio } = clocks();
    audio.toMs(0, 1000);
    video.toMs(0, 1000);
    audio.onSenderReport(50_000, 0);
    video.onSenderReport(50_000, 0);
    // Half a second of sound was never captured: 5 s later it has 4.5 s of it.
    audio.onSenderReport(55_000, 4500 * 48);
    video.onSenderReport(55_000, 5000 * 90);
    for (let ms = pictureMs; ms < 5000; ms += pictureMs) video.toMs(ms * 90, 1000 + ms);
    expect(video.toMs(5000 * 90, 6000)).toBeCloseTo(audio.toMs(4500 * 48, 6000), 6);
  });

  it('uses a report that came while the first video frame was assembled', () => {
    const { video, audio } = clocks();
    expect(audio.toMs(0, 1000)).toBe(1000);
    audio.onSenderReport(50_000, 0);
    video.onSenderReport(50_000, 2 ** 32 - 90);
    expect(video.toMs(90, 1300)).toBeCloseTo(1002, 6);
    expect(video.toMs(3090, 1340)).toBeCloseTo(1002 + 3000 / 90, 6);
  });

  it('continues over the wrap of the timestamp, and steps back with a late packet', () => {
    const { video } = clocks();
    video.toMs(2 ** 32 - 90, 0);
    expect(video.toMs(90, 0)).toBeCloseTo(2, 6);
    expect(video.toMs(0, 0)).toBeCloseTo(1, 6);
  });

  it('ignores a report that is far off', () => {
    const { video, audio } = clocks();
    audio.toMs(0, 0);
    video.toMs(0, 0);
    audio.onSenderReport(0, 0);
    video.onSenderReport(1e9, 0);
    expect(video.toMs(90_000, 1000)).toBeCloseTo(1000, 6);
  });
});
