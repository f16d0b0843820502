import { describe, expect, it } from 'vitest';
import { CatchUpRate } from './catch-up-rate.ts';

/** Low-latency player, parts of 0.3 s: its buffer and the known live edge rise with each part and fall between them. */
function play({ behindSeconds }: { behindSeconds: number }) {
  const holdBackSeconds = 1.3;
  const control = new CatchUpRate();
  const rates: number[] = [1];
  let behind = behindSeconds;
  let stalls = 0;
  let ahead = holdBackSeconds + behind;
  for (let tick = 0; tick < 600; tick++) {
    if (tick % 3 === 0) ahead = Math.max(ahead, holdBackSeconds + behind);
    const jitter = 0.05 * Math.sin(tick * 2.1);
    const rate = control.update({ nowMs: tick * 100, behindSeconds: behind + jitter, aheadSeconds: ahead });
    if (rate !== rates.at(-1)) rates.push(rate);
    ahead -= rate * 0.1;
    behind -= (rate - 1) * 0.1;
    if (ahead < 0) {
      stalls += 1;
      behind -= ahead;
      ahead = 0;
    }
  }
  return { rates, behind, stalls };
}

describe('the speed of a live player', () => {
  it('stays the same near the target, though the distance is measured inexactly', () => {
    expect(play({ behindSeconds: 0.1 }).rates).toEqual([1]);
  });

  it.each([
    [0.4, [1, 1.05, 1]],
    [1.5, [1, 1.1, 1]],
    [3.5, [1, 1.2, 1]],
  ])('changes twice for %s s that it is behind', (behindSeconds, rates) => {
    const played = play({ behindSeconds });
    expect(played.rates).toEqual(rates);
    expect(Math.abs(played.behind)).toBeLessThan(0.12);
    expect(played.stalls).toBe(0);
  });

  it('is the usual one while little is buffered, however far it is behind', () => {
    const control = new CatchUpRate();
    const rates = Array.from({ length: 100 }, (_, tick) =>
      control.update({ nowMs: tick * 100, behindSeconds: 4, aheadSeconds: 0.4 }),
    );
    expect(new Set(rates)).toEqual(new Set([1]));
  });

  it('falls at once when the buffer runs low', () => {
    const control = new CatchUpRate();
    expect(control.update({ nowMs: 0, behindSeconds: 1, aheadSeconds: 2 })).toBe(1.1);
    expect(control.update({ nowMs: 100, behindSeconds: 1, aheadSeconds: 0.3 })).toBe(1);
  });

  it('starts again after a seek', () => {
    const control = new CatchUpRate();
    control.update({ nowMs: 0, behindSeconds: 1, aheadSeconds: 2 });
    expect(control.reset()).toBe(1);
    expect(control.update({ nowMs: 2500, behindSeconds: 0, aheadSeconds: 2 })).toBe(1);
  });
});
