import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RewindRule, type RewindWindow, rewindApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StreamLink } from '../../../components/streams/stream-link.tsx';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { RowList, RuleRow } from '../../../components/ui/facts/row-list.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { IconDots, IconPlus } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import classes from './rewind.module.css';
import { rewindKey, rewindQuery } from './rewind-queries.ts';
import { RewindSheet } from './rewind-sheet.tsx';

/** Rules for how far viewers may go back in live streams, and what is kept now. */
export function RewindPart() {
  const { t } = useTranslation();
  const query = useQuery(rewindQuery);
  const [edited, setEdited] = useState<RewindRule | 'new'>();
  const { data } = query;
  if (!data) return query.failureCount > 0 ? <StaleChip {...query} /> : null;
  if (!data.isAvailable) return null;
  const { rules, windows, shortenedSince } = data;
  const hasRules = rules.length > 0;
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} variant="default" onClick={() => setEdited('new')}>
      {t('record.rewind.add')}
    </Button>
  );
  return (
    <>
      <Section
        title={t('record.rewind.title')}
        help={t('record.rewind.help')}
        state={query.failureCount > 0 ? <StaleChip {...query} /> : hasRules && add}
      >
        {shortenedSince !== '' && (
          <Notice tone="warn" title={t('record.rewind.shortened')}>
            <p>
              {t('record.rewind.shortenedText')} {t('record.alarmSince')} <Moment at={shortenedSince} />
            </p>
          </Notice>
        )}
        {hasRules ? (
          <RowList label={t('record.rewind.rules')}>
            {rules.map((rule) => (
              <RuleItem key={rule.id} rule={rule} onEdit={() => setEdited(rule)} />
            ))}
          </RowList>
        ) : (
          <EmptyState title={t('record.rewind.none')} text={t('record.rewind.noneText')}>
            <div className={classes.first}>{add}</div>
          </EmptyState>
        )}
        {hasRules && <Windows windows={windows} />}
      </Section>
      {edited && <RewindSheet rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function RuleItem({ rule, onEdit }: { rule: RewindRule; onEdit: () => void }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const { id, pattern, windowSeconds } = rule;
  const isOn = windowSeconds > 0;
  const remove = useMutation({
    mutationFn: () => client.call(rewindApi.remove, { id }),
    onSuccess: () => notify.success(t('record.rewind.removed')),
    onSettled: () => {
      setIsAsked(false);
      return queries.invalidateQueries({ queryKey: rewindKey });
    },
  });
  return (
    <RuleRow
      name={pattern}
      text={
        isOn ? t('record.rewind.back', { time: formatDuration(windowSeconds, locale) }) : t('record.rewind.notBack')
      }
      onOpen={onEdit}
    >
      <StatusLabel tone={isOn ? 'ok' : 'off'} word={t(isOn ? 'record.rewind.on' : 'record.rewind.off')} />
      <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('record.rewind.more', { pattern })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{t('record.rewind.edit')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setIsAsked(true)}>
            {t('record.rewind.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsked}
        title={t('record.rewind.removeTitle', { pattern })}
        text={t('record.rewind.removeText')}
        action={t('record.rewind.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </RuleRow>
  );
}

function Windows({ windows }: { windows: readonly RewindWindow[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const lengthOf = ({ from, to }: RewindWindow) => (Date.parse(to) - Date.parse(from)) / 1000;
  return (
    <>
      <h3 className={classes.heading}>{t('record.rewind.kept')}</h3>
      {windows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('record.rewind.keptNone')}
        </Text>
      ) : (
        <DataTable
          label={t('record.rewind.kept')}
          rows={windows}
          keyOf={({ vhost, app, stream }) => `${vhost}/${app}/${stream}`}
          actionsTitle=""
          columns={[
            { title: t('record.source'), isName: true, render: (window) => <StreamLink stream={window} /> },
            { title: t('record.rewind.length'), render: (window) => formatDuration(lengthOf(window), locale) },
            { title: t('record.size'), render: ({ bytes }) => formatBytes(bytes, locale) },
          ]}
        />
      )}
    </>
  );
}
