import classes from './state-pill.module.css';
import type { Tone } from './status-label.tsx';

/** State of a whole page, beside its title: a dot and a word. */
export function StatePill({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {word}
    </span>
  );
}
