import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { formatDay } from '../format-time.ts';
import { IconCalendar } from '../icons.ts';
import classes from './watch-player.module.css';

interface CountdownProps {
  playback: string;
  startsAt: string;
}

/** Time until the announced start, in the viewer's zone. */
export function Countdown({ playback, startsAt }: CountdownProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const startMs = Date.parse(startsAt);
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((startMs - nowMs) / 1000));
  const two = (number: number) => String(number).padStart(2, '0');
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const days = Math.floor(seconds / 86_400);
  return (
    <div className={classes.note} data-note="countdown">
      <p className={classes.noteText}>{t('watch.starts', { when: formatDay(startMs, nowMs, locale) })}</p>
      <p className={classes.clock} role="timer">
        {days > 0 ? t('watch.countdown', { days, clock }) : clock}
      </p>
      <p className={classes.noteText}>{t('watch.plays')}</p>
      <a className={classes.button} href={`/watch/${playback}/event.ics`} download="event.ics">
        <IconCalendar size={18} aria-hidden />
        {t('watch.calendar')}
      </a>
    </div>
  );
}
