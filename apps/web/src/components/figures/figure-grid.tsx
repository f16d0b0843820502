import classes from './figure-grid.module.css';

interface FigureGridProps {
  /** Label for screen readers. */
  label: string;
  /** Name and value; undefined shows a dash. The last value may be long. */
  figures: readonly (readonly [string, string | undefined])[];
  /** Tooltip. */
  hint?: string | undefined;
}

export function FigureGrid({ label, figures, hint }: FigureGridProps) {
  return (
    <section aria-label={label} title={hint}>
      <dl className={classes.figures}>
        {figures.map(([term, value]) => (
          <div key={term} className={classes.figure}>
            <dt>{term}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
