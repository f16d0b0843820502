import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../components/figures/format-figures.ts';
import { DataTable } from '../../components/ui/facts/data-table.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { type ConsoleRoute, routeHash } from './console-route.ts';
import { KickDialog, type KickTarget } from './kick-dialog.tsx';
import classes from './row-actions.module.css';
import { SignedOut } from './signed-out.tsx';
import type { SrsClient } from './srs-responses.ts';
import { useSrsQuery } from './use-srs-query.ts';

const path = 'clients/?start=0&count=1000';

export function ClientsView({ route }: { route: ConsoleRoute }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const [target, setTarget] = useState<KickTarget>();
  const polled = useSrsQuery<SrsClient[]>(path, (body) => body.clients as SrsClient[]);
  if (polled.isSignedOut) return <SignedOut />;
  // Oldest first, so that rows do not move when a client connects.
  const clients = [...(polled.data ?? [])].sort((a, b) => (b.alive ?? 0) - (a.alive ?? 0));
  const shown = clients.find(({ id }) => id === route.id);
  const role = ({ publish }: SrsClient) => (publish ? t('server-console.publishes') : t('server-console.watches'));
  const alive = (seconds: number | undefined) => (seconds === undefined ? '–' : formatDuration(seconds, locale));
  const rate = ({ publish, kbps }: SrsClient) =>
    formatBitrate(publish ? kbps?.recv_30s : kbps?.send_30s, locale) ?? '–';
  const kick = (client: SrsClient) => (
    <Button
      variant="default"
      size="xs"
      onClick={() =>
        setTarget({
          id: client.id ?? '',
          name: client.ip ?? client.id ?? '',
          what: client.publish ? 'stream' : 'viewer',
        })
      }
    >
      {t('helper.kickoff')}
    </Button>
  );
  return (
    <>
      {shown && (
        <Section title={shown.ip ?? shown.id ?? ''}>
          <FactList
            facts={[
              { term: t('server-console.role'), value: `${role(shown)} · ${shown.type ?? ''}` },
              { term: t('server-console.stream'), value: shown.url ?? '–' },
              { term: t('server-console.duration'), value: alive(shown.alive) },
              { term: t('server-console.in'), value: formatBytes(shown.recv_bytes ?? 0, locale) },
              { term: t('server-console.out'), value: formatBytes(shown.send_bytes ?? 0, locale) },
              { term: 'tcUrl', value: shown.tcUrl || '–' },
              { term: 'pageUrl', value: shown.pageUrl || '–' },
              { term: 'swfUrl', value: shown.swfUrl || '–' },
              { term: 'ID', value: shown.id ?? '–' },
            ]}
          />
          <div className={classes.below}>
            {kick(shown)}
            <Anchor inherit href={routeHash('clients', route.query)}>
              {t('server-console.all')}
            </Anchor>
          </div>
        </Section>
      )}
      <Section title={t('server-console.view.clients')} state={<StaleChip {...polled} />}>
        {polled.data && clients.length === 0 && (
          <EmptyState title={t('server-console.noClients')} text={t('server-console.noClientsText')} />
        )}
        {clients.length > 0 && (
          <DataTable<SrsClient>
            label={t('server-console.view.clients')}
            rows={clients}
            keyOf={({ id }) => id ?? ''}
            actionsTitle={t('helper.actions')}
            actions={kick}
            columns={[
              {
                title: t('server-console.ip'),
                isName: true,
                render: ({ id, ip }) => (
                  <Anchor inherit href={routeHash('clients', route.query, id)}>
                    {ip || id || '–'}
                  </Anchor>
                ),
              },
              { title: t('server-console.role'), render: role },
              { title: t('server-console.kind'), render: ({ type }) => type ?? '–' },
              { title: t('server-console.stream'), render: ({ url }) => url ?? '–' },
              { title: t('server-console.duration'), render: ({ alive: seconds }) => alive(seconds) },
              { title: t('player.bitrate'), render: rate },
              { title: 'ID', isCode: true, render: ({ id }) => id ?? '–' },
            ]}
          />
        )}
      </Section>
      <KickDialog target={target} onClose={() => setTarget(undefined)} onKicked={polled.refresh} />
    </>
  );
}
