import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { buildSparklinePath } from './sparkline-path.ts';

interface SparklineProps {
  /** Oldest first; null where nothing is known. */
  values: readonly (number | null)[];
  /** What it shows, in words, for those who cannot see it. */
  label: string;
  /** Where its upper edge is at least; the largest value if that is more. */
  least?: number;
}

/** How something went of late, as a line without axes. It takes the room it is given. */
export const Sparkline = memo(function Sparkline({ values, label, least }: SparklineProps) {
  const { line, area } = useMemo(() => buildSparklinePath(values, least), [values, least]);
  return (
    <svg
      className={classes.line}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-empty={line === '' || undefined}
    >
      <path className={classes.area} d={area} />
      <path className={classes.stroke} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
