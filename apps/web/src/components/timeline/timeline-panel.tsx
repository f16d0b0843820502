import { Button, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type TimelineGroup, timelineEventGroups, timelineGroups } from '@weir/contract';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/dialect';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { Section } from '../ui/layout/section.tsx';
import { BroadcastFacts } from './broadcast-facts.tsx';
import { ReportButton } from './report-button.tsx';
import classes from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { timelineQuery } from './timeline-queries.ts';

const anywhere = { vhost: defaultVhost, app: '', stream: '' };

/** What happened in the broadcast that the address names, or the newest of a stream. */
export function TimelinePanel({ place = anywhere }: { place?: WirePlace }) {
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
      help={broadcast && place === anywhere ? streamLabel(broadcast) : t('timeline.help')}
      state={broadcast && <ReportButton broadcast={broadcast} />}
    >
      {!broadcast && <EmptyState title={t('timeline.none')} text={t('timeline.noneText')} />}
      {broadcast && (
        <>
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
        </>
      )}
    </Section>
  );
}
