import { useEffect, useRef } from 'react';
import type { LevelSource } from '../voice/voice-types.ts';
import classes from './composer.module.css';

/** How loud it is. Written into a style: fifty times a second is too often for anything else. */
export function LevelMeter({ level }: { level: LevelSource }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => level.subscribe((loud) => bar.current?.style.setProperty('--level', loud.toFixed(2))), [level]);
  return (
    <div ref={bar} className={classes.meter} aria-hidden>
      <div className={classes.loud} />
    </div>
  );
}
