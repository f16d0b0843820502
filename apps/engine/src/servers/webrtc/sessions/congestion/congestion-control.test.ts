import { describe, expect, it } from 'vitest';
import { CongestionControl } from './congestion-control.ts';
import { DelayTrend } from './delay-trend.ts';

interface Line {
  readonly kbps: number;
  readonly queueMs?: number;
  readonly delayMs?: number;
  readonly loss?: number;
}

const packetBytes = 1200;
const videoKbps = 1000;
const audioKbps = 100;
const feedbackMs = 60;

/** A viewer of a stream of 25 frames a second and a keyframe of 20 kB each second, over a line of which every second is given. */
class Simulation {
  readonly control = new CongestionControl();
  readonly #trend = new DelayTrend();
  readonly thinAt: boolean[] = [];
  readonly queueAt: number[] = [];
  #nowMs = 0;
  #freeMs = 0;
  #creditBytes = 0;
  #stillBytes = 0;
  #random: number;
  #onWay: { sentMs: number; arrivedMs: number | undefined; bytes: number }[] = [];

  constructor(seed = 1) {
    this.#random = seed;
  }

  run(seconds: number, line: Line): this {
    const untilMs = this.#nowMs + seconds * 1000;
    let longestMs = 0;
    for (; this.#nowMs < untilMs; this.#nowMs += 4) {
      longestMs = Math.max(longestMs, this.#freeMs - this.#nowMs);
      if (this.#nowMs % 20 === 0) this.#send((audioKbps / 8) * 20, line, false);
      if (this.#nowMs % 40 === 0) this.#onFrame(line);
      if (this.control.isThin) this.#sendThin(line);
      if (this.#nowMs % feedbackMs === 0) this.#feedBack(line);
      if (this.#nowMs % 1000 === 996) {
        this.thinAt.push(this.control.isThin);
        this.queueAt.push(Math.round(longestMs));
        longestMs = 0;
      }
    }
    return this;
  }

  #onFrame(line: Line): void {
    const isKeyframe = this.#nowMs % 1000 === 0;
    if (isKeyframe && this.control.hasRoom) this.control.leave(this.#nowMs);
    if (isKeyframe && this.control.isThin && this.#stillBytes <= 0) this.#stillBytes = 20_000;
    if (this.control.isThin) return;
    const bytes = isKeyframe ? 20_000 : (videoKbps * 125 - 20_000) / 24;
    for (let left = bytes; left > 0; left -= packetBytes) this.#send(Math.min(left, packetBytes), line, true);
  }

  #sendThin(line: Line): void {
    this.control.poll(videoKbps, this.#nowMs);
    this.#creditBytes = Math.min(2400, this.#creditBytes + (this.control.paceKbps(this.#nowMs) * 4) / 8);
    while (this.#creditBytes > 0 && (this.#stillBytes > 0 || this.control.isTrying)) {
      this.#send(packetBytes, line, true);
      this.#creditBytes -= packetBytes;
      this.#stillBytes -= packetBytes;
    }
  }

  #send(bytes: number, { kbps, queueMs = 300, delayMs = 20, loss = 0 }: Line, isCounted: boolean): void {
    const startMs = Math.max(this.#nowMs, this.#freeMs);
    this.#random = (this.#random * 48_271) % 0x7fff_ffff;
    const isLost = startMs - this.#nowMs > queueMs || this.#random / 0x7fff_ffff < loss;
    if (!isLost) this.#freeMs = startMs + (bytes * 8) / kbps;
    const arrivedMs = isLost ? undefined : this.#freeMs + delayMs;
    if (isCounted) this.#onWay.push({ sentMs: this.#nowMs, arrivedMs, bytes });
  }

  #feedBack({ delayMs = 20 }: Line): void {
    const heardUntilMs = this.#nowMs - delayMs;
    const lastHeard = this.#onWay.findLastIndex(
      ({ arrivedMs = Number.POSITIVE_INFINITY }) => arrivedMs <= heardUntilMs,
    );
    if (lastHeard < 0) return;
    for (const { sentMs, arrivedMs, bytes } of this.#onWay.splice(0, lastHeard + 1)) {
      if (arrivedMs === undefined) this.#trend.onLost();
      else this.#trend.onArrived(sentMs, arrivedMs, bytes);
    }
    const figures = this.#trend.read(this.#nowMs);
    if (figures) this.control.onFigures(figures, 0, videoKbps, this.#nowMs);
  }
}

describe('CongestionControl with enough bandwidth', () => {
  it.each<[string, Line]>([
    ['has room', { kbps: 10_000 }],
    ['has a little room, though keyframes fill it', { kbps: 2000 }],
    ['is long', { kbps: 10_000, delayMs: 300 }],
    ['loses a tenth', { kbps: 10_000, loss: 0.1 }],
  ])('sends everything on a line that %s', (_, line) => {
    expect(new Simulation().run(30, line).thinAt).not.toContain(true);
  });

  it('does not report congestion when the delay jumps once and packets get lost', () => {
    for (let seed = 1; seed < 100; seed++) {
      const simulation = new Simulation(seed).run(3, { kbps: 10_000 });
      expect(simulation.run(12, { kbps: 10_000, delayMs: 220, loss: 0.05 }).thinAt, `seed ${seed}`).not.toContain(true);
    }
  });
});

describe('CongestionControl without enough bandwidth', () => {
  it.each<[number, Line]>([
    [1, { kbps: 500 }],
    [1, { kbps: 500, queueMs: 1000 }],
    [2, { kbps: 500, queueMs: 80 }],
    [2, { kbps: 10_000, loss: 0.5 }],
  ])('falls back to keyframes only within %i s: %o', (seconds, line) => {
    const { thinAt } = new Simulation().run(10, { kbps: 10_000 }).run(10, line);
    expect(thinAt.slice(10 + seconds - 1)).not.toContain(false);
    expect(thinAt.slice(0, 10)).not.toContain(true);
  });

  it('does not delay audio once video fits, however often it probes for more', () => {
    const { queueAt } = new Simulation().run(10, { kbps: 10_000 }).run(60, { kbps: 500 });
    for (const queueMs of queueAt.slice(13)) expect(queueMs).toBeLessThan(200);
  });

  it('sends everything again within some seconds of recovery', () => {
    const { thinAt } = new Simulation().run(10, { kbps: 10_000 }).run(10, { kbps: 500 }).run(20, { kbps: 10_000 });
    expect(thinAt.lastIndexOf(true)).toBeLessThan(29);
    expect(thinAt.slice(thinAt.lastIndexOf(true) + 1)).not.toContain(true);
  });

  it('probes less and less often, and does not oscillate', () => {
    const { thinAt } = new Simulation().run(10, { kbps: 10_000 }).run(120, { kbps: 1050 });
    const changes = thinAt.filter((isThin, second) => second > 0 && isThin !== thinAt[second - 1]);
    expect(changes.length).toBeLessThan(8);
  });
});
