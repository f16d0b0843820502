import classes from './caption-overlay.module.css';
import type { CaptionState } from './caption-session.ts';

/** Subtitles over the video. Hidden from screen readers, whose users hear the speech. */
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
