import { formatPosition } from '../../../../lib/format.ts';
import classes from './timeline.module.css';

const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600];
const leastPixels = 80;

/** The time above the waveform. */
export function Ticks({ from, to, pixelsPerSecond }: { from: number; to: number; pixelsPerSecond: number }) {
  const step = steps.find((seconds) => seconds * pixelsPerSecond >= leastPixels) ?? 600;
  const first = Math.floor(from / step);
  return Array.from({ length: Math.max(0, Math.ceil(to / step) - first) }, (_, n) => (first + n) * step).map((at) => (
    <span key={at} className={classes.tick} style={{ left: at * pixelsPerSecond }} aria-hidden>
      {formatPosition(at)}
    </span>
  ));
}
