import { describe, expect, it } from 'vitest';
import { EnergyDetector } from './energy-detector.ts';
import { voice } from './voice.fixture.ts';

/** Utterances in seconds, of PCM that comes in pieces of any size. */
function heard(pcm: Buffer, pieceBytes = 1600): [number, number][] {
  const found: [number, number][] = [];
  const detector = new EnergyDetector({ onUtterance: (start, end) => found.push([start / 16_000, end / 16_000]) });
  for (let at = 0; at < pcm.length; at += pieceBytes) detector.push(pcm.subarray(at, at + pieceBytes));
  return found;
}
const quiet = (seconds: number) => ({ seconds, isLoud: false });
const loud = (seconds: number) => ({ seconds, isLoud: true });

describe('EnergyDetector', () => {
  it('finds an utterance, with some time before it and little after it', () => {
    const [[start, end] = [0, 0], ...others] = heard(voice([quiet(2), loud(2), quiet(1)]));
    expect(others).toEqual([]);
    expect(2 - start).toBeGreaterThan(0.1);
    expect(2 - start).toBeLessThan(0.35);
    expect(Math.abs(end - 4)).toBeLessThan(0.2);
  });

  it('reports where in it the voice begins, and that nothing precedes it after a cut', () => {
    const leads: number[] = [];
    const onUtterance = (_start: number, _end: number, lead: number) => leads.push(lead / 16_000);
    new EnergyDetector({ onUtterance }).push(voice([quiet(1), loud(12), quiet(1)]));
    expect([leads[0], leads.length > 1, Math.max(...leads.slice(1))]).toEqual([0.2, true, 0]);
  });

  it('detects the same however the audio is split', () => {
    const pcm = voice([quiet(1), loud(1), quiet(0.5), loud(3), quiet(1)]);
    expect(heard(pcm, 2)).toEqual(heard(pcm, 7777 * 2));
  });

  it('ends an utterance at a pause, and ignores a click', () => {
    expect(heard(voice([quiet(1), loud(1), quiet(0.6), loud(1), quiet(1)]))).toHaveLength(2);
    expect(heard(voice([quiet(1), loud(0.04), quiet(1)]))).toHaveLength(0);
  });

  it('adapts to a noisy place', () => {
    expect(heard(voice([quiet(3), loud(2), quiet(1)], 0.02))).toHaveLength(1);
    expect(heard(voice([quiet(30)], 0.02))).toEqual([]);
  });

  it('cuts a speaker without pauses, without a gap, and within its limit', () => {
    const found = heard(voice([quiet(1), loud(30), quiet(1)]));
    expect(found.length).toBeGreaterThan(3);
    for (const [at, [start]] of found.slice(1).entries()) expect(start).toBeCloseTo(found[at]?.[1] ?? 0, 5);
    for (const [start, end] of found) expect(end - start).toBeLessThanOrEqual(8.1);
  });

  it('reports up to where all is decided: before an open utterance, and close behind silence', () => {
    const detector = new EnergyDetector({ onUtterance: () => undefined });
    detector.push(voice([quiet(2)]));
    expect(detector.decidedUntil / 16_000).toBeGreaterThan(1.6);
    detector.push(voice([loud(1)]));
    expect(detector.decidedUntil / 16_000).toBeLessThan(2);
    detector.push(voice([quiet(1)]));
    expect(detector.decidedUntil / 16_000).toBeGreaterThan(3.2);
  });

  it('ends an open utterance when it is cut', () => {
    const found: number[] = [];
    const detector = new EnergyDetector({ onUtterance: (_start, end) => found.push(end) });
    detector.push(voice([quiet(1), loud(1)]));
    detector.cut();
    expect(found).toEqual([32_000]);
  });
});
