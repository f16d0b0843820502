import classes from './figure-grid.module.css';

interface FigureGridProps {
  /** What the figures are about, for those who cannot see where they stand. */
  label: string;
  /** Name and value; what is not known yet is a dash. The last one may be long. */
  figures: readonly (readonly [string, string | undefined])[];
  /** More about them, on hover. */
  hint?: string | undefined;
}

/** Small figures side by side, each under its name. */
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
