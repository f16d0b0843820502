import classes from './caption-overlay.module.css';
import type { CaptionState } from './caption-session.ts';

/** What is said, over the lower part of the picture. Not announced to screen readers: whoever uses one hears the words. */
export function CaptionOverlay({ track, lines }: Pick<CaptionState, 'track' | 'lines'>) {
  if (!track || lines.length === 0) return null;
  return (
    <div className={classes.overlay} lang={track.language} dir="auto" data-captions>
      {lines.map(({ id, text, isGrown }) => (
        <p key={id} className={classes.line} data-grown={isGrown || undefined}>
          <span className={classes.text}>{text}</span>
        </p>
      ))}
    </div>
  );
}
