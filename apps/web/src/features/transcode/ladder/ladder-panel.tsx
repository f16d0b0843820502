import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LadderEncoderTest, type LadderRow, type LadderRule, ladderApi } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../../components/figures/format-figures.ts';
import { StreamLink } from '../../../components/streams/stream-link.tsx';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { RowList, RuleRow } from '../../../components/ui/facts/row-list.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { IconDots, IconPlus } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import classes from './ladder.module.css';
import { encodersQuery, ladderKey, laddersQuery } from './ladder-queries.ts';
import { LadderSheet } from './ladder-sheet.tsx';

/** Rules for lower qualities that are made here, what is made of live streams now, and the encoders of this machine. */
export function LadderPanel() {
  const { t } = useTranslation();
  const query = useQuery(laddersQuery);
  const [edited, setEdited] = useState<LadderRule | 'new'>();
  const { data } = query;
  if (!data) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  if (!data.isAvailable) return <Notice tone="info" title={t('ladder.lacks')} />;
  const { rules, streams } = data;
  const hasRules = rules.length > 0;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      variant={hasRules ? 'filled' : 'default'}
      onClick={() => setEdited('new')}
    >
      {t('ladder.add')}
    </Button>
  );
  return (
    <>
      <Section
        title={t('ladder.rules')}
        help={t('ladder.rulesHelp')}
        state={query.failureCount > 0 ? <StaleChip {...query} /> : hasRules && add}
      >
        {hasRules ? (
          <RowList label={t('ladder.rules')}>
            {rules.map((rule) => (
              <RuleItem key={rule.id} rule={rule} onEdit={() => setEdited(rule)} />
            ))}
          </RowList>
        ) : (
          <EmptyState title={t('ladder.none')} text={t('ladder.noneText')}>
            <div className={classes.first}>{add}</div>
          </EmptyState>
        )}
      </Section>
      {hasRules && (
        <Section title={t('ladder.streams')} help={t('ladder.streamsHelp')}>
          {streams.length === 0 && <p className={classes.muted}>{t('ladder.streamsNone')}</p>}
          {streams.map((row) => (
            <StreamItem key={streamLabel(row)} row={row} />
          ))}
        </Section>
      )}
      <EncodersSection isUsed={hasRules} />
      {edited && <LadderSheet rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function RuleItem({ rule, onEdit }: { rule: LadderRule; onEdit: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const { id, pattern, rungs, when, encoder, enabled, hasAudioOnly } = rule;
  const remove = useMutation({
    mutationFn: () => client.call(ladderApi.remove, { id }),
    onSuccess: () => notify.success(t('ladder.removed')),
    onSettled: () => {
      setIsAsked(false);
      return queries.invalidateQueries({ queryKey: ladderKey });
    },
  });
  const names = [...rungs.map(({ lines }) => `${lines}p`), ...(hasAudioOnly ? [t('ladder.audioOnly')] : [])];
  const qualities = names.join(' · ');
  return (
    <RuleRow
      name={pattern}
      text={[qualities, t(`ladder.when.${when}`), encoder || t('ladder.encoder.auto')].join(' – ')}
      onOpen={onEdit}
    >
      <StatusLabel tone={enabled ? 'ok' : 'off'} word={t(enabled ? 'ladder.on' : 'ladder.off')} />
      <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('ladder.more', { pattern })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{t('ladder.edit')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setIsAsked(true)}>
            {t('ladder.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsked}
        title={t('ladder.removeTitle', { pattern })}
        text={t('ladder.removeText')}
        action={t('ladder.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </RuleRow>
  );
}

const tones: Readonly<Record<LadderRow['state'], Tone>> = {
  waiting: 'busy',
  measuring: 'busy',
  starting: 'busy',
  running: 'ok',
  unwatched: 'off',
  idle: 'off',
  failing: 'bad',
  refused: 'bad',
};

function StreamItem({ row }: { row: LadderRow }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, cause, rungs, encoder } = row;
  const isPartial = state === 'running' && cause !== '';
  const reason = useReason(row);
  return (
    <article className={classes.stream}>
      <div className={classes.streamHead}>
        <StreamLink stream={row} />
        <StatusLabel
          tone={isPartial ? 'warn' : tones[state]}
          word={isPartial ? t('ladder.state.partial') : t(`ladder.state.${state}`)}
        />
      </div>
      {reason !== '' && <Notice tone={state === 'idle' ? 'info' : 'warn'} title={reason} />}
      <DataTable
        label={t('ladder.qualitiesOf', { stream: streamLabel(row) })}
        rows={rungs}
        keyOf={({ lines }) => String(lines)}
        actionsTitle=""
        columns={[
          { title: t('ladder.quality'), isName: true, render: ({ lines }) => `${lines}p` },
          { title: t('ladder.target'), render: ({ kbps }) => formatBitrate(kbps, locale) },
          {
            title: t('ladder.now'),
            render: ({ isMade, madeKbps }) => {
              if (!isMade) return t('ladder.leftOut');
              return madeKbps > 0 ? formatBitrate(madeKbps, locale) : '–';
            },
          },
          { title: t('ladder.cost'), hint: t('ladder.costHint'), render: ({ percent }) => <Percent value={percent} /> },
        ]}
      />
      {encoder !== '' && <p className={classes.muted}>{t('ladder.encodedBy', { encoder })}</p>}
    </article>
  );
}

function Percent({ value }: { value: number | null }) {
  const { t } = useTranslation();
  return value === null ? '–' : t('ladder.percent', { percent: Math.ceil(value) });
}

/** Why qualities are missing. What the engine says of ffmpeg has no translation. */
function useReason({ cause, state, reason, needPercent, freePercent }: LadderRow): string {
  const { t } = useTranslation();
  if (cause === 'room') {
    return t('ladder.cause.room', { need: Math.ceil(needPercent), free: Math.floor(freePercent) });
  }
  if (cause !== '') return t(`ladder.cause.${cause}`);
  if (state === 'idle' && reason.includes('smaller')) return t('ladder.cause.small');
  if (state === 'idle' && reason.includes('several')) return t('ladder.cause.layers');
  return state === 'failing' || state === 'idle' ? reason : '';
}

/** Results of test encodes on this machine. They start by themselves only if there is a rule. */
function EncodersSection({ isUsed }: { isUsed: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const { data, isFetching } = useQuery({ ...encodersQuery, enabled: isUsed || isAsked });
  const again = useMutation({
    mutationFn: () => client.call(ladderApi.encoders, { isFresh: true }),
    onSuccess: (results) => queries.setQueryData(encodersQuery.queryKey, results),
  });
  const isTesting = isFetching || again.isPending;
  return (
    <Section
      title={t('ladder.encoders')}
      help={t('ladder.encodersHelp')}
      state={
        <Button variant="default" loading={isTesting} onClick={() => (data ? again.mutate() : setIsAsked(true))}>
          {t(data ? 'ladder.testAgain' : 'ladder.test')}
        </Button>
      }
    >
      {!data && <p className={classes.muted}>{t(isTesting ? 'ladder.testing' : 'ladder.untested')}</p>}
      {data && (
        <DataTable
          label={t('ladder.encoders')}
          rows={data.encoders}
          keyOf={({ encoder }) => encoder}
          actionsTitle=""
          columns={[
            {
              title: t('ladder.encoder.label'),
              isName: true,
              render: ({ encoder }) => t(`ladder.encoder.${encoder}`),
            },
            {
              title: t('ladder.result'),
              render: ({ encoder, isUsable }) => (
                <StatusLabel
                  tone={isUsable ? 'ok' : 'off'}
                  word={t(!isUsable ? 'ladder.unusable' : encoder === data.chosen ? 'ladder.chosen' : 'ladder.usable')}
                />
              ),
            },
            { title: t('ladder.reason'), render: (test) => <EncoderReason test={test} /> },
          ]}
        />
      )}
    </Section>
  );
}

function EncoderReason({ test: { fault, detail, device } }: { test: LadderEncoderTest }) {
  const { t } = useTranslation();
  if (fault === '') return device === '' ? '–' : <code>{device}</code>;
  return (
    <div>
      {t(`ladder.fault.${fault}`)}
      {detail !== '' && <span className={classes.detail}>{detail}</span>}
    </div>
  );
}
