import type { Icon } from '@tabler/icons-react';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleFilled,
  IconCircleMinus,
  IconCircleX,
} from '../theme/icons.ts';
import classes from './status-label.module.css';

/**
 * Colours: ok green, busy blue, warn amber, bad red, off grey; recording is a red dot, done a grey tick. The word carries the meaning,
 * colour and icon only help.
 */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'off' | 'recording' | 'done';

const icons: Record<Tone, Icon> = {
  ok: IconCircleCheck,
  busy: IconCircleDashed,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  off: IconCircleMinus,
  recording: IconCircleFilled,
  done: IconCheck,
};

interface StatusLabelProps {
  tone: Tone;
  word: string;
  /** Tinted background, for a state that is shown alone. */
  tinted?: boolean;
}

export function StatusLabel({ tone, word, tinted = false }: StatusLabelProps) {
  const Mark = icons[tone];
  return (
    <span className={classes.label} data-tone={tone} data-tinted={tinted || undefined}>
      <Mark size={tone === 'recording' ? 12 : 16} stroke={2} aria-hidden className={classes.icon} />
      <span>{word}</span>
    </span>
  );
}
