import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type StreamViewer, streamsApi } from '@weir/contract';
import { compareTexts, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatDelay, formatNumber } from '../../../components/figures/format-figures.ts';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { type Column, DataTable } from '../../../components/ui/facts/data-table.tsx';
import { Ago } from '../../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { client, isNotFound } from '../../../lib/api.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import { streamDetailQuery } from './stream-detail-query.ts';

const pageRows = 20;

interface ViewersPanelProps {
  place: WirePlace;
  /** Viewers listed by the server, which may not be all. */
  viewers: readonly StreamViewer[];
  /** Number of all viewers. */
  count: number;
}

/** Viewers by duration, a page at a time. */
export function ViewersPanel({ place, viewers, count }: ViewersPanelProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const columns = useColumns();
  const [page, setPage] = useState(0);
  const [target, setTarget] = useState<StreamViewer>();
  const [isAsking, setIsAsking] = useState(false);
  const pages = Math.max(1, Math.ceil(viewers.length / pageRows));
  const shown = Math.min(page, pages - 1);
  const sorted = [...viewers].sort((a, b) => compareTexts(a.since, b.since) || compareTexts(a.id, b.id));
  const slow = viewers.filter(({ isSlow }) => isSlow).length;
  const rows = sorted.slice(shown * pageRows, (shown + 1) * pageRows);
  return (
    <Section
      anchor="viewers"
      title={t('streamPage.viewers.title')}
      help={t('streamPage.viewers.help')}
      state={
        <Group gap="sm">
          <Text fw={600}>{formatNumber(count, locale)}</Text>
          {slow > 0 && <StatusLabel tone="warn" word={t('streamPage.viewers.slowCount', { count: slow })} />}
        </Group>
      }
    >
      {viewers.length === 0 ? (
        <EmptyState title={t('streamPage.viewers.none')} text={t('streamPage.viewers.noneText')} />
      ) : (
        <DataTable
          label={t('streamPage.viewers.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          actionsTitle={t('helper.actions')}
          actions={(viewer) => (
            <Button
              variant="default"
              size="xs"
              aria-label={t('streamPage.viewers.kick', { address: viewer.address })}
              onClick={() => {
                setTarget(viewer);
                setIsAsking(true);
              }}
            >
              {t('helper.kickoff')}
            </Button>
          )}
        />
      )}
      {pages > 1 && (
        <Group gap="sm" mt="md">
          <Button variant="default" size="xs" disabled={shown === 0} onClick={() => setPage(shown - 1)}>
            {t('streamPage.viewers.before')}
          </Button>
          <Text size="sm">
            {t('streamPage.viewers.range', {
              first: shown * pageRows + 1,
              last: shown * pageRows + rows.length,
              count: formatNumber(viewers.length, locale),
            })}
          </Text>
          <Button variant="default" size="xs" disabled={shown === pages - 1} onClick={() => setPage(shown + 1)}>
            {t('streamPage.viewers.after')}
          </Button>
        </Group>
      )}
      {count > viewers.length && viewers.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('streamPage.viewers.more', { shown: formatNumber(viewers.length, locale) })}
        </Text>
      )}
      {target && (
        <KickViewerDialog place={place} viewer={target} opened={isAsking} onClose={() => setIsAsking(false)} />
      )}
    </Section>
  );
}

function useColumns(): Column<StreamViewer>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  return [
    { title: t('streamPage.viewers.address'), render: ({ address }) => address, isName: true },
    { title: t('streamPage.viewers.protocol'), render: ({ protocol }) => protocolName(protocol) },
    { title: t('streamPage.viewers.since'), render: ({ since }) => <Ago at={since} /> },
    { title: t('streamPage.viewers.sent'), render: ({ bytes }) => formatBytes(bytes, locale) },
    { title: t('live.facts.bitrate'), render: ({ kbps }) => formatBitrate(kbps, locale) },
    {
      title: t('streamPage.viewers.rtt'),
      hint: t('streamPage.viewers.rttHint'),
      render: ({ rttMs }) => formatDelay(rttMs === null ? undefined : Math.round(rttMs), locale) ?? '–',
    },
    {
      title: t('streamPage.viewers.behind'),
      hint: t('streamPage.viewers.behindHint'),
      render: ({ behindMs, isSlow }) => {
        const text = formatDelay(behindMs ?? undefined, locale) ?? '–';
        return isSlow ? <StatusLabel tone="warn" word={t('streamPage.viewers.slow', { text })} /> : text;
      },
    },
  ];
}

interface KickViewerDialogProps {
  place: WirePlace;
  viewer: StreamViewer;
  opened: boolean;
  onClose: () => void;
}

function KickViewerDialog({ place, viewer, opened, onClose }: KickViewerDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { address, id } = viewer;
  const confirmKick = () => notify.success(t('streamPage.viewers.kicked', { address }));
  const kick = useMutation({
    mutationFn: () => client.call(streamsApi.kickViewer, { ...place, id }),
    meta: { handles: isNotFound },
    onSuccess: confirmKick,
    // A viewer that has left counts as success.
    onError: (error) => isNotFound(error) && confirmKick(),
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: streamDetailQuery(place).queryKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('streamPage.viewers.kick', { address })}
      text={t('streamPage.viewers.kickText')}
      action={t('helper.kickoff')}
      busy={kick.isPending}
      onConfirm={() => kick.mutate()}
      onClose={onClose}
    />
  );
}
