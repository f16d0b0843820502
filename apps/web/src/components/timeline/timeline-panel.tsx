import { Button, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type TimelineEntry, type TimelineGroup, timelineEventGroups, timelineGroups } from '@weir/contract';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { formatClock, formatDateTime, zoneName } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useOutletTitle } from '../outlets/destination/platforms.ts';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { Section } from '../ui/layout/section.tsx';
import { BroadcastFacts, ReportButton } from './broadcasts-panel.tsx';
import { describeEntry } from './entry-text.ts';
import classes from './timeline.module.css';
import { timelineQuery } from './timeline-queries.ts';

const anywhere = { vhost: defaultVhost, app: '', stream: '' };

interface TimelinePanelProps {
  place?: WirePlace;
  /** Beside other content: times and texts below each other. */
  isNarrow?: boolean;
}

/** Timeline of the broadcast in the address, or of the stream's newest one. */
export function TimelinePanel({ place = anywhere, isNarrow = false }: TimelinePanelProps) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [group, setGroup] = useState<TimelineGroup | ''>('');
  const [isWhole, setIsWhole] = useState(false);
  const id = Number(query.get('broadcast')) || 0;
  const { vhost, app, stream } = place;
  const { data } = useQuery(timelineQuery({ id, vhost, app, stream }, isWhole));
  if (!data) return null;
  const { broadcast, entries } = data;
  const shown = entries.filter(({ what }) => group === '' || timelineEventGroups[what] === group);
  return (
    <Section
      anchor="timeline"
      title={t('timeline.title')}
      {...(!isNarrow && { help: broadcast && place === anywhere ? streamLabel(broadcast) : t('timeline.help') })}
      state={broadcast && !isNarrow && <ReportButton broadcast={broadcast} />}
    >
      {!broadcast && <EmptyState title={t('timeline.none')} text={t('timeline.noneText')} />}
      {broadcast && (
        <div data-narrow={isNarrow || undefined} className={classes.body}>
          <div className={classes.tools}>
            <BroadcastFacts broadcast={broadcast} />
            <NativeSelect
              label={t('timeline.filter')}
              size="xs"
              value={group}
              onChange={({ currentTarget }) => setGroup(currentTarget.value as TimelineGroup | '')}
              data={['' as const, ...timelineGroups].map((value) => ({
                value,
                label: t(`timeline.group.${value === '' ? 'all' : value}`),
              }))}
            />
          </div>
          <TimelineList entries={shown} />
          {shown.length === 0 && <Text size="sm">{t('timeline.noneOfGroup')}</Text>}
          {broadcast.leftOut > 0 && (
            <Text size="sm" c="dimmed">
              {t('timeline.leftOut', { number: broadcast.leftOut })}
            </Text>
          )}
          {!isWhole && entries.length < broadcast.entries && (
            <Button variant="default" size="xs" className={classes.more} onClick={() => setIsWhole(true)}>
              {t('timeline.showAll', { number: broadcast.entries })}
            </Button>
          )}
          {isNarrow && (
            <div className={classes.more}>
              <ReportButton broadcast={broadcast} />
            </div>
          )}
        </div>
      )}
    </Section>
  );
}

/** Newest first. New entries are announced while the list is visible. */
function TimelineList({ entries }: { entries: readonly TimelineEntry[] }) {
  const { t } = useTranslation();
  return (
    <ol
      className={classes.entries}
      aria-label={t('timeline.title')}
      aria-live="polite"
      aria-relevant="additions"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
      tabIndex={0}
    >
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
        {[detail, count > 1 && t('timeline.times', { number: count, time: formatClock(new Date(until)) })]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}

function isNewDay({ at }: TimelineEntry, newer: TimelineEntry | undefined): boolean {
  return newer !== undefined && new Date(at).toDateString() !== new Date(newer.at).toDateString();
}
