import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { Audience, Window } from './audience.ts';
import { windowFor } from './flush-window.ts';
import { SecureWindows } from './secure-windows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(costMs: number, size = 200) {
  const served: { text: string; place: number; isEntry: boolean; frames: number }[] = [];
  const audience = {
    size,
    costMs,
    serve: ({ bytes, isEntry, frames }: Window, place: number) => {
      served.push({ text: bytes.buffer.toString(), place, isEntry, frames });
      return bytes.length;
    },
  };
  let sent = 0;
  const windows = new SecureWindows(
    audience as unknown as Audience,
    (bytes) => {
      sent += bytes;
    },
    (cost) => windowFor(cost, 0, 0),
  );
  let place = 0;
  const add = (text: string, isEntry = false) => {
    const pieces = [Buffer.from(text)];
    windows.add(pieces, { bytes: new SharedBytes(pieces), frames: 1, isEntry }, place);
    place += text.length;
  };
  return { audience, served, add, windows, sent: () => sent };
}

it('follows every window with few viewers', () => {
  const { add, served, sent } = open(0.5, 20);
  for (const text of ['one', 'two']) add(text);
  expect(served.map(({ text, place }) => [text, place])).toEqual([
    ['one', 0],
    ['two', 3],
  ]);
  expect(sent()).toBe(6);
});

it('gathers with many for as long as plain connections, and begins anew with a keyframe', () => {
  const { add, served } = open(3);
  add('a');
  add('b');
  vi.advanceTimersByTime(169);
  expect(served).toEqual([]);
  vi.advanceTimersByTime(1);
  add('c');
  add('K', true);
  add('d');
  vi.advanceTimersByTime(170);
  expect(served).toEqual([
    { text: 'ab', place: 0, isEntry: false, frames: 2 },
    { text: 'c', place: 2, isEntry: false, frames: 1 },
    { text: 'Kd', place: 3, isEntry: true, frames: 2 },
  ]);
});

it('sends a whole record as soon as the time is over that its cost asks for', () => {
  const { add, served } = open(5, 20);
  const half = 'x'.repeat(8 * 1024);
  const sizes = () => served.map(({ text }) => text.length);
  for (const text of [half, half, half]) add(text);
  vi.advanceTimersByTime(119);
  expect(sizes()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sizes()).toEqual([3 * half.length]);
  add(half);
  vi.advanceTimersByTime(120);
  expect(sizes()).toHaveLength(1);
  add(half);
  expect(sizes()).toEqual([3 * half.length, 2 * half.length]);
  add('next');
  vi.advanceTimersByTime(170);
  expect(sizes()).toEqual([3 * half.length, 2 * half.length, 4]);
});

it('gathers by what encrypting costs at least, since another process may do it', () => {
  const { add, served } = open(0.1, 100);
  const record = 'x'.repeat(16 * 1024);
  add(record);
  // 24 times 3 ms.
  vi.advanceTimersByTime(71);
  expect(served).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(served.map(({ text }) => text.length)).toEqual([record.length]);
});

it('holds nothing for nobody', () => {
  const { add, served, windows, audience } = open(10);
  add('a');
  audience.size = 0;
  add('b');
  audience.size = 1;
  windows.flush();
  add('c');
  vi.advanceTimersByTime(170);
  expect(served).toEqual([{ text: 'c', place: 2, isEntry: false, frames: 1 }]);
});
