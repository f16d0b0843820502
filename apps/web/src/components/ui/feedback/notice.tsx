import type { ReactNode } from 'react';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '../theme/icons.ts';
import classes from './notice.module.css';

const icons = { ok: IconCircleCheck, info: IconInfoCircle, warn: IconAlertTriangle, bad: IconCircleX } as const;

interface NoticeProps {
  tone: keyof typeof icons;
  title: string;
  /** Meaning and remedy. */
  children?: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps) {
  const Mark = icons[tone];
  return (
    <div className={classes.notice} data-tone={tone}>
      <Mark size={18} stroke={2} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
    </div>
  );
}
