import { describe, expect, it } from 'vitest';
import type { ClientKind } from '../clients/client-info.ts';
import { client } from '../frames.fixture.ts';
import { SlowViewers, usualMs } from './slow-viewers.ts';

function viewer(kind: ClientKind, behindMs: number | undefined) {
  const entry = client(kind);
  if (behindMs !== undefined) entry.lag = () => behindMs;
  return entry;
}

function judge(entries: ReturnType<typeof viewer>[]) {
  const slow = new SlowViewers();
  slow.begin();
  for (const entry of entries) slow.see(entry);
  slow.end();
  return { count: slow.count, worstMs: slow.worstMs, flags: entries.map(({ isSlow }) => isSlow) };
}

describe('SlowViewers', () => {
  it('reports a viewer more than two seconds behind most others of its protocol', () => {
    const entries = [100, 300, 0, 2200, 8000].map((ms) => viewer('flv-play', ms));
    expect(judge(entries)).toEqual({ count: 1, worstMs: 8000, flags: [false, false, false, false, true] });
    expect(entries[4]?.behindMs).toBe(8000);
  });

  it('compares a viewer only with its own protocol', () => {
    const flv = [1900, 1900, 1900, 3500].map((ms) => viewer('flv-play', ms));
    const rtmp = [0, 0, 3500].map((ms) => viewer('rtmp-play', ms));
    expect(judge([...flv, ...rtmp]).flags).toEqual([false, false, false, false, false, false, true]);
  });

  it('reports a viewer alone, and together with others as slow', () => {
    expect(judge([viewer('rtmp-play', 5000)]).count).toBe(1);
    expect(judge([5000, 6000, 7000].map((ms) => viewer('srt-play', ms))).count).toBe(3);
    expect(judge([viewer('rtmp-play', 1999)]).count).toBe(0);
  });

  it('does not judge a viewer whose delay is unknown', () => {
    expect(judge([viewer('rtc-play', undefined), viewer('flv-play', 0)])).toMatchObject({ count: 0, worstMs: 0 });
  });

  it('no longer reports a viewer that has caught up', () => {
    let ms = 9000;
    const entry = client('flv-play');
    entry.lag = () => ms;
    expect(judge([entry]).count).toBe(1);
    ms = 0;
    expect([judge([entry]).count, entry.isSlow]).toEqual([0, false]);
  });
});

it('the usual delay is the lower median, and never large', () => {
  expect([[], [700], [100, 900], [0, 5, 9], [9000, 9000, 9000]].map(usualMs)).toEqual([0, 0, 100, 5, 2000]);
});
