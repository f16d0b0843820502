import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { jump, RewindBar, type RewindControl } from './rewind-bar.tsx';

const fromMs = Date.UTC(2026, 2, 1, 10);
const at = (seconds: number) => fromMs + 1000 * seconds;

/** An hour of a stream, at this second; live without one. */
function control(second?: number, isReplay = false) {
  const calls = { seek: vi.fn(), toLive: vi.fn(), setRate: vi.fn() };
  const rewind: RewindControl = {
    ...calls,
    toLive: isReplay ? undefined : calls.toLive,
    fromMs,
    toMs: at(3600),
    dateMs: second === undefined ? undefined : at(second),
    rate: 1,
  };
  return { ...calls, rewind };
}

it.each([
  ['back from live', undefined, false, -10, 3590],
  ['back from a replay that has not begun', undefined, true, -10, 0],
  ['not before what is kept', 4, false, -10, 0],
  ['forward', 60, false, 10, 70],
  ['not beyond the end of a replay', 3595, true, 10, 3600],
  ['forward to live', 3595, false, 10, 'live'],
] as const)('jumps %s', (_title, second, isReplay, seconds, to) => {
  const { rewind, seek, toLive } = control(second, isReplay);
  jump(rewind, seconds);
  expect(seek.mock.calls).toEqual(to === 'live' ? [] : [[at(to)]]);
  expect(toLive).toHaveBeenCalledTimes(to === 'live' ? 1 : 0);
});

it('tells how far behind live the picture is, and the position in a replay', () => {
  const { rerender } = render(<RewindBar rewind={control().rewind} />);
  const text = () => screen.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext');
  expect(text()).toBe('Live');
  rerender(<RewindBar rewind={control(3000).rewind} />);
  expect(text()).toBe('10:00 behind live');
  rerender(<RewindBar rewind={control(3000, true).rewind} />);
  expect(text()).toBe('50:00');
  expect(screen.getByText('50:00 / 1:00:00')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Live' })).toBeNull();
});

it('seeks when a dragged thumb rests, and goes live at the end of the line', () => {
  vi.useFakeTimers();
  try {
    const { rewind, seek, toLive } = control(3000);
    render(<RewindBar rewind={rewind} />);
    const drag = (...seconds: number[]) => {
      for (const value of seconds) fireEvent.change(screen.getByRole('slider'), { target: { value } });
    };
    drag(2000, 1000);
    expect(screen.getByRole('status').textContent).toBe('−43:20');
    expect(seek).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(500));
    expect(seek.mock.calls).toEqual([[at(1000)]]);
    drag(3600);
    act(() => vi.advanceTimersByTime(500));
    expect(toLive).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
