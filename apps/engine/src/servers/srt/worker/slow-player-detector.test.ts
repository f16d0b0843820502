import { describe, expect, it } from 'vitest';
import { SendWindow } from './libsrt/send-window.ts';
import { SlowPlayerDetector } from './slow-player-detector.ts';

const everyMs = 40;
const latencyMs = 120;
const lineOf = (latency: number, lost = () => 0) => new SlowPlayerDetector(latency, lost);

/** A player that confirms each message so long after it was offered. */
function play(
  line: SlowPlayerDetector,
  seconds: number,
  delayMs: (nowMs: number) => number,
  startMs = 0,
  due: number[] = [],
) {
  for (let nowMs = startMs; nowMs < startMs + seconds * 1000; nowMs += everyMs) {
    while (due.length > 0 && (due[0] ?? 0) <= nowMs) due.shift();
    line.update(due.length, nowMs);
    if (line.isLate) return nowMs - startMs;
    line.noteOffered(1, nowMs);
    due.push(nowMs + delayMs(nowMs));
  }
  return undefined;
}

describe('SlowPlayerDetector', () => {
  it.each([20, 300, 900])('is not congested at a constant delay of %i ms', (delayMs) => {
    expect(play(lineOf(latencyMs), 30, () => delayMs)).toBeUndefined();
  });

  it('is congested when the delay grows by more than the latency of the player', () => {
    const line = lineOf(latencyMs);
    expect(play(line, 10, () => 100)).toBeUndefined();
    const lateAfterMs = play(lineOf(latencyMs), 10, (nowMs) => 100 + nowMs / 4);
    expect(lateAfterMs).toBeGreaterThan(500);
    expect(lateAfterMs).toBeLessThan(5000);
  });

  it('is congested when many packets are lost while others wait, but not by losses alone', () => {
    let lost = 0;
    const losing = (share: number) => () => {
      lost += share;
      return Math.floor(lost);
    };
    expect(play(lineOf(latencyMs, losing(8)), 10, (nowMs) => (nowMs < 1000 ? 20 : 250))).toBeGreaterThan(1000);
    expect(play(lineOf(latencyMs, losing(8)), 10, () => 20)).toBeUndefined();
    expect(play(lineOf(latencyMs, losing(0.2)), 10, (nowMs) => (nowMs < 1000 ? 20 : 250))).toBeUndefined();
  });

  it('is never congested for a player without a latency limit', () => {
    expect(play(lineOf(0), 10, (nowMs) => 20 + nowMs)).toBeUndefined();
  });

  it('holds half of what it held at congestion, until it had enough bandwidth for some seconds', () => {
    const line = lineOf(latencyMs);
    const lateMs = play(line, 10, (nowMs) => 100 + nowMs / 4) ?? 0;
    line.noteLate(38, lateMs);
    expect(line.window).toBe(20);
    expect(line.resume(lateMs + 40)).toBe(false);
    line.update(0, lateMs + 400);
    expect(line.resume(lateMs + 400)).toBe(true);
    expect(line.window).toBe(20);
    line.update(0, lateMs + 4000);
    expect(line.window).toBeUndefined();
  });

  it('adopts another usual delay when audio alone takes as long', () => {
    const line = lineOf(latencyMs);
    const due: number[] = [];
    expect(play(line, 5, () => 20, 0, due)).toBeUndefined();
    const beganMs = 5000 + (play(line, 5, () => 900, 5000, due) ?? Number.NaN);
    line.noteLate(10, beganMs);
    const resumed: number[] = [];
    for (let nowMs = beganMs; nowMs < beganMs + 4000; nowMs += everyMs) {
      while (due.length > 0 && (due[0] ?? 0) <= nowMs) due.shift();
      line.update(due.length, nowMs);
      if (line.resume(nowMs)) resumed.push(nowMs);
      line.noteOffered(1, nowMs);
      due.push(nowMs + 900);
    }
    expect(resumed[0]).toBeGreaterThan(beganMs + 2000);
    expect(resumed[0]).toBeLessThan(beganMs + 3000);
  });

  it('is not congested on a long way while the send window grows to what the line holds', () => {
    // Eight megabits a second, and a player that joined just after a keyframe.
    const [perTick, wayMs] = [34, 300];
    const onTheWay: number[] = [];
    const window = new SendWindow(() => onTheWay.length, 0);
    const line = lineOf(latencyMs);
    const late: number[] = [];
    let waiting = 0;
    let mostWaiting = 0;
    for (let nowMs = 0; nowMs < 10_000; nowMs += everyMs) {
      while ((onTheWay[0] ?? Number.POSITIVE_INFINITY) <= nowMs) onTheWay.shift();
      line.update(onTheWay.length + waiting, nowMs, waiting);
      if (line.isLate) late.push(nowMs);
      line.noteOffered(perTick, nowMs);
      for (waiting += perTick; waiting > 0 && window.hasRoom(nowMs); waiting--) {
        onTheWay.push(nowMs + 2 * wayMs);
        window.noteSent(nowMs);
      }
      mostWaiting = Math.max(mostWaiting, waiting);
    }
    expect(late).toEqual([]);
    expect(mostWaiting).toBeGreaterThan(200);
    expect(waiting).toBe(0);
    expect(line.ageMs).toBeLessThan(700);
  });

  it('holds no less than what is on its way without a queue', () => {
    const line = lineOf(latencyMs);
    const due: number[] = [];
    expect(play(line, 10, () => 800, 0, due)).toBeUndefined();
    const lateMs = 10_000 + (play(line, 10, () => 5000, 10_000, due) ?? Number.NaN);
    // One message each 40 ms.
    line.noteLate(22, lateMs);
    expect(line.window).toBeGreaterThanOrEqual(18);
    expect(line.window).toBeLessThan(22);
  });
});
