import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber } from '../../components/figures/format-figures.ts';
import { DataTable } from '../../components/ui/facts/data-table.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { SignedOut } from './signed-out.tsx';
import type { SrsVhost } from './srs-responses.ts';
import { useSrsQuery } from './use-srs-query.ts';

export function VhostsView() {
  const { t } = useTranslation();
  const locale = useLocale();
  const polled = useSrsQuery<SrsVhost[]>('vhosts/', (body) => body.vhosts as SrsVhost[]);
  if (polled.isSignedOut) return <SignedOut />;
  const number = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value, locale));
  return (
    <Section
      title={t('server-console.view.vhosts')}
      help={t('server-console.vhostsHelp')}
      state={<StaleChip {...polled} />}
    >
      <DataTable<SrsVhost>
        label={t('server-console.view.vhosts')}
        rows={polled.data ?? []}
        keyOf={({ id, name }) => id ?? name ?? ''}
        actionsTitle=""
        columns={[
          { title: t('server-console.name'), isName: true, render: ({ name }) => name ?? '–' },
          {
            title: t('server-console.state'),
            render: ({ enabled }) =>
              enabled === false ? (
                <StatusLabel tone="off" word={t('server-console.off')} />
              ) : (
                <StatusLabel tone="ok" word={t('server-console.on')} />
              ),
          },
          { title: t('server-console.streams'), render: ({ streams }) => number(streams) },
          { title: t('server-console.clients'), render: ({ clients }) => number(clients) },
          { title: t('server-console.in'), render: ({ kbps }) => formatBitrate(kbps?.recv_30s, locale) ?? '–' },
          { title: t('server-console.out'), render: ({ kbps }) => formatBitrate(kbps?.send_30s, locale) ?? '–' },
          {
            title: 'HLS',
            render: ({ hls }) => (hls?.enabled ? t('server-console.on') : t('server-console.off')),
          },
          { title: 'ID', isCode: true, isHiddenOnCards: true, render: ({ id }) => id ?? '–' },
        ]}
      />
    </Section>
  );
}
