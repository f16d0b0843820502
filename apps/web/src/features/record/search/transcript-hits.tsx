import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Recording } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { groupHits, type HitGroup } from './hit-text.ts';
import classes from './search.module.css';
import { TranscriptHitRow } from './transcript-hit-row.tsx';
import { transcriptSearchQuery } from './transcript-search-query.ts';

interface WordHitsProps {
  query: string;
  recordings: readonly Recording[];
  onOpen: (uuid: string, second: number) => void;
}

/** Where words were said or shown, newest first. */
export function TranscriptHits({ query, recordings, onOpen }: WordHitsProps) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(transcriptSearchQuery(query));
  const hits = found.data?.pages.flatMap((page) => page.hits) ?? [];
  const isFailing = found.failureCount > 0;
  const hasAnswer = found.data !== undefined && !found.isPlaceholderData;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" role="status">
        {hasAnswer && hits.length > 0
          ? t(found.hasNextPage ? 'record.words.first' : 'record.words.count', { count: hits.length })
          : found.isFetching && !isFailing && t('record.words.looking')}
      </Text>
      {isFailing && (
        <Notice tone="bad" title={t('record.words.failed')}>
          <Text size="sm">{t('record.words.failedText')}</Text>
          <Button size="xs" variant="default" onClick={() => void found.refetch()}>
            {t('record.words.again')}
          </Button>
        </Notice>
      )}
      {!found.data && !isFailing && <Skeleton height={160} />}
      {hasAnswer && hits.length === 0 && (
        <EmptyState title={t('record.words.none', { query })} text={t('record.words.noneText')} />
      )}
      <div className={classes.groups} aria-busy={found.isPlaceholderData}>
        {groupHits(hits).map((group) => (
          <Group
            key={group.key}
            group={group}
            recording={recordings.find(({ uuid }) => uuid === group.recording)}
            onOpen={onOpen}
          />
        ))}
      </div>
      {found.hasNextPage && hasAnswer && (
        <div>
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t('record.words.more')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

interface GroupProps {
  group: HitGroup;
  recording: Recording | undefined;
  onOpen: (uuid: string, second: number) => void;
}

function Group({ group: { hits }, recording, onOpen }: GroupProps) {
  const { t } = useTranslation();
  const [first] = hits;
  if (!first) return null;
  return (
    <section className={classes.group} aria-label={streamLabel(recording ?? first)}>
      <header className={classes.heading}>
        <h3>{streamLabel(recording ?? first)}</h3>
        <Text size="xs" c="dimmed" component="span">
          {recording ? <Moment at={recording.startedAt} /> : t('record.words.notRecorded')}
        </Text>
      </header>
      <ol className={classes.hits}>
        {hits.map((hit) => (
          <li key={hit.id}>
            <TranscriptHitRow
              hit={hit}
              onOpen={recording && hit.second !== null ? (second) => onOpen(recording.uuid, second) : undefined}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
