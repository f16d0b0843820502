import type { TimelineEntry } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatClock, formatDateTime, zoneName } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useOutletTitle } from '../outlets/destination/platforms.ts';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { describeEntry } from './entry-text.ts';
import classes from './timeline.module.css';

/** What happened, newest first. New entries are read out while the list is in view. */
export function TimelineList({ entries }: { entries: readonly TimelineEntry[] }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.entries} aria-label={t('timeline.title')} aria-live="polite" aria-relevant="additions">
      {entries.map((entry, index) => (
        <EntryRow key={entry.id} entry={entry} isNewDay={isNewDay(entry, entries[index - 1])} />
      ))}
    </ol>
  );
}

function EntryRow({ entry, isNewDay }: { entry: TimelineEntry; isNewDay: boolean }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { at, until, count } = entry;
  const titleOf = useOutletTitle();
  const slotName = (platform: string) => titleOf({ platform, custom: false, label: '' });
  const { tone, title, detail } = describeEntry(entry, { t, locale, slotName });
  const moment = new Date(at);
  return (
    <li className={classes.entry} data-what={entry.what}>
      <time dateTime={at} title={`${formatDateTime(moment)} ${zoneName()}`} className={classes.time}>
        {isNewDay ? formatDateTime(moment) : formatClock(moment)}
      </time>
      <StatusLabel tone={tone} word={title} />
      <span className={classes.detail}>
        {detail}
        {count > 1 && (
          <span className={classes.count}>
            {t('timeline.times', { number: count, time: formatClock(new Date(until)) })}
          </span>
        )}
      </span>
    </li>
  );
}

function isNewDay({ at }: TimelineEntry, newer: TimelineEntry | undefined): boolean {
  return newer !== undefined && new Date(at).toDateString() !== new Date(newer.at).toDateString();
}
