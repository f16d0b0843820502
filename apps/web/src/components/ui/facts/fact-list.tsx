import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

export interface Fact {
  term: string;
  value: ReactNode;
}

/** Names and values, side by side if there is room. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.list}>
      {facts.map(({ term, value }) => (
        <div key={term} className={classes.row}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
