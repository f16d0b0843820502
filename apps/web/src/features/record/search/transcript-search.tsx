import { Button, CloseButton, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Recording, type TranscriptHit, transcriptSearchApi, transcriptSearchLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SeparateDisksNote } from '../../../components/separate-disks-note.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { client } from '../../../lib/api.ts';
import { formatPosition } from '../../../lib/format.ts';
import { IconMicrophone, IconSearch, IconTextRecognition } from '../icons.ts';
import { groupHits, type HitGroup, splitHitText } from './hit-text.ts';
import classes from './search.module.css';

interface TranscriptSearchProps {
  recordings: readonly Recording[];
  onOpen: (uuid: string, second: number) => void;
  /** Shown while the search is empty. */
  children: ReactNode;
}

/** Pause in typing before the search starts. */
const restMs = 250;

/** Search in everything said and shown in recordings. Results replace the list. */
export function TranscriptSearch({ recordings, onOpen, children }: TranscriptSearchProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), typed.trim() === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') setAsked(typed.trim());
    if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      setTyped('');
    }
  };
  return (
    <Stack gap="md" onKeyDown={moveByArrow}>
      <TextInput
        className={classes.box}
        type="search"
        enterKeyHint="search"
        label={t('record.words.label')}
        placeholder={t('record.words.placeholder')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed !== '' && <CloseButton size="sm" aria-label={t('record.words.clear')} onClick={() => setTyped('')} />
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={transcriptSearchLimits.queryCharacters}
        data-word-search
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <SeparateDisksNote />
      {asked === '' ? children : <TranscriptHits query={asked} recordings={recordings} onOpen={onOpen} />}
    </Stack>
  );
}

/** Moves the focus between the search field and the hits. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-word-search], [data-hit]')];
  const at = stops.indexOf(event.target);
  const next = at < 0 ? undefined : stops[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Newest first. Shows the previous results until the next ones arrive. */
const transcriptSearchQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['words', query],
    queryFn: ({ pageParam, signal }) =>
      client.call(transcriptSearchApi.search, pageParam === undefined ? { query } : { query, before: pageParam }, {
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ hits, more }) => (more ? hits.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    // Live streams add transcripts all the time.
    staleTime: 10_000,
    gcTime: 60_000,
    meta: { quiet: true },
  });

interface TranscriptHitsProps {
  query: string;
  recordings: readonly Recording[];
  onOpen: (uuid: string, second: number) => void;
}

function TranscriptHits({ query, recordings, onOpen }: TranscriptHitsProps) {
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

const kindIcons = { speech: IconMicrophone, picture: IconTextRecognition } as const;

interface TranscriptHitRowProps {
  hit: TranscriptHit;
  /** Undefined if there is nothing to play. */
  onOpen: ((second: number) => void) | undefined;
}

/** Hit with its time, text and kind. Plays the recording there. */
function TranscriptHitRow({ hit, onOpen }: TranscriptHitRowProps) {
  const { t } = useTranslation();
  const KindIcon = kindIcons[hit.kind];
  const { second } = hit;
  const inside = (
    <>
      <span className={classes.time}>
        {onOpen && second !== null ? formatPosition(second) : <Moment at={hit.date} />}
      </span>
      <span className={classes.words} lang={hit.language || undefined} dir="auto">
        {splitHitText(hit).map((piece, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
          piece.isMarked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
        )}
      </span>
      <span className={classes.kind}>
        <KindIcon size={14} aria-hidden />
        {t(`record.words.kind.${hit.kind}`)}
      </span>
    </>
  );
  if (!onOpen || second === null) return <div className={classes.hit}>{inside}</div>;
  return (
    <button type="button" className={classes.hit} data-hit onClick={() => onOpen(second)}>
      {inside}
    </button>
  );
}
