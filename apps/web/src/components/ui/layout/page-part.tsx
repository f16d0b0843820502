import { type ReactNode, useId } from 'react';
import classes from './page-part.module.css';

interface PagePartProps {
  title: string;
  /** Count or sentence beside the title. */
  note?: ReactNode;
  /** State or link at the right edge of the heading. */
  aside?: ReactNode;
  /** Key of the panel in the specification; `#panel-` and the key leads here. */
  panel?: string;
  children: ReactNode;
}

/** Part of a page whose content has its own card or cards: only a heading above it. */
export function PagePart({ title, note, aside, panel, children }: PagePartProps) {
  const headingId = useId();
  return (
    <section
      className={classes.part}
      aria-labelledby={headingId}
      id={panel && `panel-${panel}`}
      data-key={panel}
      tabIndex={panel ? -1 : undefined}
    >
      <div className={classes.head}>
        <h2 id={headingId}>{title}</h2>
        {note && <span className={classes.note}>{note}</span>}
        {aside && <span className={classes.aside}>{aside}</span>}
      </div>
      {children}
    </section>
  );
}
