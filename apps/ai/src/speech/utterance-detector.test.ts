import { describe, expect, it } from 'vitest';
import type { Vad } from './sherpa.ts';
import { type SpeechEvent, UtteranceDetector } from './utterance-detector.ts';

/** Detects speech in every non-zero sample; `tests/ai` covers the real detector. */
class LoudnessVad implements Vad {
  #at = 0;
  #start: number | undefined;
  #segments: { start: number; samples: Float32Array }[] = [];
  resets = 0;

  acceptWaveform(samples: Float32Array): void {
    const isLoud = samples.some((sample) => sample !== 0);
    if (isLoud) this.#start ??= this.#at;
    this.#at += samples.length;
    if (!isLoud) this.flush();
  }
  flush(): void {
    if (this.#start !== undefined)
      this.#segments.push({ start: this.#start, samples: new Float32Array(this.#at - this.#start) });
    this.#start = undefined;
  }
  isEmpty = () => this.#segments.length === 0;
  isDetected = () => this.#start !== undefined;
  front(): { start: number; samples: Float32Array } {
    return this.#segments[0] ?? { start: 0, samples: new Float32Array(0) };
  }
  pop(): void {
    this.#segments.shift();
  }
  reset(): void {
    this.resets += 1;
    this.#at = 0;
  }
}

const second = 16_000;
const silence = (seconds: number) => new Float32Array(seconds * second);
const speech = (seconds: number) => new Float32Array(seconds * second).fill(0.3);
const utterancesIn = (events: readonly SpeechEvent[]) =>
  events.flatMap((event) => ('utterance' in event ? [event.utterance.map((at) => at / second)] : []));

describe('UtteranceDetector', () => {
  it('reports start and end in samples', () => {
    const cutter = new UtteranceDetector(new LoudnessVad());
    const events = [silence(2), speech(3), silence(1), speech(1), silence(1)].flatMap((part) => cutter.push(part));
    expect(events.map((event) => Object.keys(event)[0])).toEqual(['speech', 'utterance', 'speech', 'utterance']);
    const [first, second] = utterancesIn(events);
    expect(first?.[1]).toBeCloseTo(5, 0);
    expect(second?.[1]).toBeCloseTo(7, 0);
    expect(cutter.end()).toEqual([]);
  });

  it('gives the same result however the signal is chunked', () => {
    const signal = [silence(1), speech(2), silence(1), speech(12), silence(1)].flatMap((part) => [...part]);
    const whole = new UtteranceDetector(new LoudnessVad()).push(Float32Array.from(signal));
    const cutter = new UtteranceDetector(new LoudnessVad());
    const pieces: SpeechEvent[] = [];
    for (let at = 0; at < signal.length; at += 777)
      pieces.push(...cutter.push(Float32Array.from(signal.slice(at, at + 777))));
    expect([...pieces, ...cutter.end()]).toEqual(whole);
  });

  it('cuts long speech at the quietest point without gaps', () => {
    const cutter = new UtteranceDetector(new LoudnessVad());
    const signal = speech(100);
    for (let at = 7; at < 100; at += 7) signal.fill(0.01, at * second, (at + 0.2) * second);
    const found = utterancesIn([...cutter.push(signal), ...cutter.end()]);
    for (const [start = 0, end = 0] of found) expect(end - start).toBeLessThanOrEqual(9.1);
    for (const [index, [start = 0]] of found.entries()) if (index > 0) expect(start).toBe(found[index - 1]?.[1]);
    expect(found[0]?.[1]).toBeCloseTo(7.1, 1);
    expect(found.at(-1)?.[1]).toBe(100);
  });

  it('ends the current utterance with the signal', () => {
    const cutter = new UtteranceDetector(new LoudnessVad());
    cutter.push(speech(2.01));
    expect(utterancesIn(cutter.end())[0]?.[1]).toBeCloseTo(2.01, 3);
  });

  it('keeps positions when the detector is reset', () => {
    const vad = new LoudnessVad();
    const cutter = new UtteranceDetector(vad);
    for (let minute = 0; minute < 61; minute++) cutter.push(silence(60));
    expect(vad.resets).toBe(1);
    const [start = 0, end = 0] = utterancesIn([...cutter.push(speech(1)), ...cutter.push(silence(1))])[0] ?? [];
    expect(start).toBeGreaterThan(3659);
    expect(end).toBeCloseTo(3661, 0);
  });
});
