import { describe, expect, it } from 'vitest';
import { LatencyController } from './latency-controller.ts';

interface Line {
  /** Publisher's clock: media seconds per second. */
  readonly speed?: number;
  /** Media since the last keyframe, delivered at the start. */
  readonly cachedSeconds?: number;
  /** Delay of media sent at this second. */
  readonly lateSeconds?: (second: number) => number;
}

const stepMs = 20;

/** Player behind such a connection. */
class Player {
  readonly controller = new LatencyController();
  readonly rates: number[] = [];
  stalls = 0;
  jumps = 0;
  #nowMs = 0;
  #shown = 0;
  #arrived = 0;
  #isStalled = false;
  readonly #line: Required<Line>;

  constructor({ speed = 1, cachedSeconds = 0.5, lateSeconds = () => 0 }: Line) {
    this.#line = { speed, cachedSeconds, lateSeconds };
    this.#arrived = cachedSeconds;
  }

  get changes(): number {
    return this.rates.filter((rate, index) => rate !== (this.rates[index - 1] ?? rate)).length;
  }

  get ahead(): number {
    return this.#arrived - this.#shown;
  }

  play(seconds: number): this {
    const { speed, cachedSeconds, lateSeconds } = this.#line;
    let rate = this.rates.at(-1) ?? 1;
    for (const endMs = this.#nowMs + seconds * 1000; this.#nowMs < endMs; this.#nowMs += stepMs) {
      const second = this.#nowMs / 1000;
      this.#arrived = Math.max(this.#arrived, cachedSeconds + (second - lateSeconds(second)) * speed);
      // Browsers resume only after several frames are buffered.
      if (this.#isStalled && this.ahead > 0.24) this.#isStalled = false;
      if (!this.#isStalled) this.#shown = Math.min(this.#arrived, this.#shown + (rate * stepMs) / 1000);
      if (!this.#isStalled && this.ahead <= 0) {
        this.#isStalled = true;
        this.stalls += 1;
        this.controller.onStall();
      }
      if (this.#nowMs % 100 !== 0) continue;
      const look = { nowMs: this.#nowMs, aheadSeconds: this.ahead, isPlaying: !this.#isStalled };
      const advice = this.controller.update(look);
      rate = advice.rate;
      this.rates.push(rate);
      if (advice.jumpSeconds > 0) this.jumps += 1;
      this.#shown += advice.jumpSeconds;
    }
    return this;
  }
}

describe('LatencyController', () => {
  it('approaches the live edge without seeking and then plays at the publisher speed', () => {
    const player = new Player({ cachedSeconds: 1 }).play(60);
    expect(player.ahead).toBeLessThan(0.35);
    expect(player.ahead).toBeGreaterThan(0.2);
    expect([player.stalls, player.jumps]).toEqual([0, 0]);
    expect(Math.max(...player.rates)).toBeLessThanOrEqual(1.1);
    expect(player.rates.slice(-50).every((rate) => rate === 1)).toBe(true);
    expect(player.changes).toBeLessThanOrEqual(6);
  });

  it('follows publishers with fast and slow clocks', () => {
    for (const speed of [1.001, 0.999]) {
      const player = new Player({ speed }).play(3600);
      expect(player.ahead).toBeLessThan(0.5);
      expect([player.stalls, player.jumps]).toEqual([0, 0]);
    }
  });

  it('seeks to the live edge after a long initial GOP', () => {
    const player = new Player({ cachedSeconds: 9 }).play(5);
    expect(player.jumps).toBe(1);
    expect(player.ahead).toBeLessThan(0.5);
  });

  it('grows the buffer after stalls and shrinks it on a good connection', () => {
    // Every third second starts with a gap of 0.6 s.
    let isBad = true;
    const lateSeconds = (second: number) => (isBad && second % 3 < 0.6 ? second % 3 : 0);
    const player = new Player({ lateSeconds }).play(60);
    expect(player.stalls).toBeLessThan(4);
    const { stalls } = player;
    player.play(60);
    expect(player.stalls - stalls).toBeLessThan(2);
    isBad = false;
    player.play(300);
    expect(player.controller.targetBufferSeconds).toBe(0.25);
    expect(player.ahead).toBeLessThan(0.5);
  });

  it('does not grow the buffer when the publisher leaves', () => {
    for (const awaySeconds of [1, 10]) {
      const lateSeconds = (second: number) => Math.min(awaySeconds, Math.max(0, second - 10));
      const player = new Player({ lateSeconds }).play(80);
      expect([player.stalls, player.jumps]).toEqual([1, 0]);
      expect(player.controller.targetBufferSeconds).toBe(0.25);
      expect(player.ahead).toBeLessThan(0.4);
    }
  });
});
