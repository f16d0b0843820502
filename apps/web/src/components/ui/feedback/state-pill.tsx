import { useTitleState } from '../../../lib/page-title.ts';
import classes from './state-pill.module.css';
import type { Tone } from './status-label.tsx';

/** State of a whole page, beside its title and in that of the browser's tab: a dot and a word. */
export function StatePill({ tone, word }: { tone: Tone; word: string }) {
  useTitleState(word);
  return (
    <span className={classes.pill} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {word}
    </span>
  );
}
