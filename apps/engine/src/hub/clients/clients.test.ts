import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { client } from '../frames.fixture.ts';
import { ByteHistory, Clients } from './clients.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('reports the bitrate of the last seconds, and of the whole connection for a new client', () => {
  const history = new ByteHistory(0);
  expect(history.perSecond(5000, 2000, 200, 4000)).toEqual({ in: 100, out: 2000 });
  // 100 bytes a second for half a minute, then 1,000.
  for (let tick = 1; tick <= 6; tick++) history.add(tick * 5000, tick * 500, 0);
  for (let tick = 7; tick <= 12; tick++) history.add(tick * 5000, 3000 + (tick - 6) * 5000, 0);
  expect(history.perSecond(5000, 60_000, 33_000, 0).in).toBe(1000);
  expect(history.perSecond(30_000, 60_000, 33_000, 0).in).toBe(1000);
  expect(history.perSecond(30_000, 64_000, 33_000, 0).in).toBeCloseTo(30_000 / 34);
  expect(history.perSecond(5000, 68_000, 33_000, 0).in).toBe(0);
});

test('samples its clients only while there are any', () => {
  const clients = new Clients();
  const entry = client('flv-play');
  clients.add(entry);
  entry.counters.bytesOut = 1_000_000;
  vi.advanceTimersByTime(60_000);
  entry.counters.bytesOut += 5000;
  vi.advanceTimersByTime(1000);
  expect(entry.history.perSecond(5000, Date.now(), 0, 1_005_000).out).toBeLessThan(1001);
  expect(vi.getTimerCount()).toBe(1);
  clients.delete(entry.info.id);
  expect(vi.getTimerCount()).toBe(0);
});

test('keeps the bytes of disconnected clients in the totals', () => {
  const clients = new Clients();
  const [one, other] = [client(), client('flv-play')];
  clients.add(one);
  clients.add(other);
  one.counters.bytesIn = 7;
  other.counters.bytesOut = 9;
  clients.delete(one.info.id);
  clients.delete(one.info.id);
  expect(clients.totals()).toEqual({ bytesIn: 7, bytesOut: 9 });
});
