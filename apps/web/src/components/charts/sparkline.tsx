import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { buildSparklinePath } from './sparkline-path.ts';

interface SparklineProps {
  /** Oldest first; null if unknown. */
  values: readonly (number | null)[];
  /** Description for screen readers. */
  label: string;
  /** Lowest value of the upper edge. */
  least?: number;
}

/** Recent values as a line without axes, sized by its container. */
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
