import { Anchor, Button } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber, formatPercent } from '../../components/figures/format-figures.ts';
import { DataTable } from '../../components/ui/facts/data-table.tsx';
import { type Fact, FactList } from '../../components/ui/facts/fact-list.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { useCredentials } from '../../lib/credentials.ts';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { switchLanguage, useLocale } from '../../lib/i18n.ts';
import { PageFrame } from '../page-frame.tsx';
import { startPage } from '../start-page.tsx';
import { type ConsoleRoute, parseRoute, routeHash, views } from './console-route.ts';
import { KickDialog, type KickTarget } from './kick-dialog.tsx';
import rowActions from './row-actions.module.css';
import { SignedOut } from './signed-out.tsx';
import type { SrsClient, SrsSummary, SrsVhost } from './srs-responses.ts';
import { StreamsView } from './streams-view.tsx';
import classes from './summaries-view.module.css';
import { useSrsQuery } from './use-srs-query.ts';

/** One page per language, because existing links name them. */
const pageOf = { en: '/console/en_index.html', zh: '/console/ng_index.html' } as const;

/** Live view of the media server's own API. */
function ServerConsole({ page }: { page: URL }) {
  const { t } = useTranslation();
  const credentials = useCredentials();
  const route = parseRoute(useSyncExternalStore(onHashChange, () => window.location.hash));
  return (
    <PageFrame
      title={t('server-console.title')}
      layout="table"
      links={views.map((view) => ({
        href: routeHash(view, route.query),
        text: t(`server-console.view.${view}`),
        isCurrent: view === route.view,
      }))}
      onLanguage={(locale) => {
        window.history.replaceState(null, '', pageOf[locale] + window.location.hash);
        switchLanguage(locale);
      }}
    >
      {credentials === undefined ? (
        <SignedOut />
      ) : (
        {
          summaries: () => <SummariesView />,
          vhosts: () => <VhostsView />,
          streams: () => <StreamsView route={route} page={page} />,
          clients: () => <ClientsView route={route} />,
        }[route.view]()
      )}
    </PageFrame>
  );
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function VhostsView() {
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

function SummariesView() {
  const { t } = useTranslation();
  const locale = useLocale();
  const summary = useSrsQuery<SrsSummary>('summaries', (body) => body.data as SrsSummary);
  const vhosts = useSrsQuery<SrsVhost[]>('vhosts/', (body) => body.vhosts as SrsVhost[]);
  if (summary.isSignedOut) return <SignedOut />;
  const { self = {}, system = {} } = summary.data ?? {};
  const sum = (pick: (vhost: SrsVhost) => number | undefined) =>
    vhosts.data?.reduce((total, vhost) => total + (pick(vhost) ?? 0), 0);

  const duration = (seconds: number | undefined) =>
    seconds === undefined ? undefined : formatDuration(seconds, locale);
  const memory = (kilobytes: number | undefined) =>
    kilobytes === undefined ? undefined : formatBytes(kilobytes * 1024, locale);
  const share = (value: number | undefined) => (value === undefined ? undefined : formatPercent(value * 100, locale));
  const count = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value, locale));
  const load = [system.load_1m, system.load_5m, system.load_15m].map((value) =>
    value === undefined ? undefined : formatNumber(value, locale, 2),
  );

  return (
    <div className={classes.cards}>
      <Card
        title={t('server-console.server')}
        freshness={summary}
        facts={[
          [t('server-console.version'), self.weir ?? self.version],
          [t('server-console.uptime'), duration(self.srs_uptime)],
          [t('server-console.cpu'), share(self.cpu_percent)],
          [t('server-console.memory'), joined(memory(self.mem_kbyte), share(self.mem_percent))],
          [t('server-console.connections'), count(system.conn_srs)],
          [t('server-console.pid'), self.pid === undefined ? undefined : String(self.pid)],
        ]}
      />
      <Card
        title={t('server-console.machine')}
        freshness={summary}
        facts={[
          [t('server-console.uptime'), duration(system.uptime)],
          [t('server-console.cpus'), count(system.cpus)],
          [t('server-console.cpu'), share(system.cpu_percent)],
          [t('server-console.memory'), joined(memory(system.mem_ram_kbyte), share(system.mem_ram_percent))],
          [t('server-console.load'), load.includes(undefined) ? undefined : load.join(' · ')],
        ]}
      />
      <Card
        title={t('server-console.traffic')}
        freshness={vhosts}
        facts={[
          [t('server-console.streams'), count(sum(({ streams }) => streams))],
          [t('server-console.clients'), count(sum(({ clients }) => clients))],
          [
            t('server-console.in'),
            formatBitrate(
              sum(({ kbps }) => kbps?.recv_30s),
              locale,
            ),
          ],
          [
            t('server-console.out'),
            formatBitrate(
              sum(({ kbps }) => kbps?.send_30s),
              locale,
            ),
          ],
        ]}
      />
    </div>
  );
}

interface CardProps {
  title: string;
  freshness: { dataUpdatedAt: number; failureCount: number };
  facts: readonly (readonly [string, string | undefined])[];
}

/** Values the server does not report are omitted. */
function Card({ title, freshness, facts }: CardProps) {
  const known: Fact[] = facts.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
  return (
    <Section title={title} state={<StaleChip {...freshness} />}>
      <FactList facts={known} />
    </Section>
  );
}

function joined(...parts: (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(' · ');
}

const clientsPath = 'clients/?start=0&count=1000';

function ClientsView({ route }: { route: ConsoleRoute }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const [target, setTarget] = useState<KickTarget>();
  const polled = useSrsQuery<SrsClient[]>(clientsPath, (body) => body.clients as SrsClient[]);
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
          <div className={rowActions.below}>
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

await startPage(({ address }) => <ServerConsole page={address} />);
