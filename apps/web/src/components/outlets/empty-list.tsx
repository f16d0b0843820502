import type { ReactNode } from 'react';
import classes from './empty-list.module.css';

interface EmptyListProps {
  /** Drawing of what the page is for. */
  art: ReactNode;
  text: string;
  action: ReactNode;
}

/** Page without rows: a drawing, one sentence, one button. */
export function EmptyList({ art, text, action }: EmptyListProps) {
  return (
    <div className={classes.empty}>
      <div className={classes.art} aria-hidden="true">
        {art}
      </div>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}
