import { Anchor, Button } from '@mantine/core';
import { defaultVhost } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber } from '../../components/figures/format-figures.ts';
import { DataTable } from '../../components/ui/facts/data-table.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { type ConsoleRoute, routeHash } from './console-route.ts';
import { KickDialog, type KickTarget } from './kick-dialog.tsx';
import classes from './row-actions.module.css';
import { SignedOut } from './signed-out.tsx';
import type { SrsStream } from './srs-responses.ts';
import { useSrsQuery } from './use-srs-query.ts';

const path = 'streams/?start=0&count=1000';
const nameOf = ({ app, name }: SrsStream) => `${app ?? ''}/${name ?? ''}`;

export function StreamsView({ route, page }: { route: ConsoleRoute; page: URL }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const [target, setTarget] = useState<KickTarget>();
  const polled = useSrsQuery<SrsStream[]>(path, (body) => body.streams as SrsStream[]);
  if (polled.isSignedOut) return <SignedOut />;
  const streams = [...(polled.data ?? [])].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const shown = streams.find(({ id }) => id === route.id);
  const rate = (kbps: number | undefined) => formatBitrate(kbps, locale) ?? '–';

  const actions = (stream: SrsStream) => (
    <div className={classes.actions}>
      <Button
        component="a"
        href={previewAddress(stream, page, route.playerPort)}
        target="_blank"
        variant="default"
        size="xs"
      >
        {t('server-console.preview')}
      </Button>
      {stream.publish?.active && stream.publish.cid && (
        <Button
          variant="default"
          size="xs"
          onClick={() => setTarget({ id: stream.publish?.cid ?? '', name: nameOf(stream), what: 'stream' })}
        >
          {t('helper.kickoff')}
        </Button>
      )}
    </div>
  );

  return (
    <>
      {shown && (
        <Section title={nameOf(shown)} state={<StreamStatus stream={shown} />}>
          <FactList
            facts={[
              { term: t('server-console.video'), value: videoText(shown) },
              { term: t('server-console.audio'), value: audioText(shown) },
              {
                term: t('server-console.in'),
                value: `${rate(shown.kbps?.recv_30s)} · ${formatBytes(shown.recv_bytes ?? 0, locale)}`,
              },
              {
                term: t('server-console.out'),
                value: `${rate(shown.kbps?.send_30s)} · ${formatBytes(shown.send_bytes ?? 0, locale)}`,
              },
              ...(shown.fps === undefined
                ? []
                : [
                    {
                      term: t('player.frameRate'),
                      value: t('player.fps', { number: formatNumber(shown.fps, locale, 1) }),
                    },
                  ]),
              ...(shown.publish?.address
                ? [
                    {
                      term: t('server-console.publisher'),
                      value: `${shown.publish.address} ${shown.publish.protocol ?? ''}`,
                    },
                  ]
                : []),
              ...(shown.publish?.since
                ? [{ term: t('server-console.since'), value: <Moment at={shown.publish.since} /> }]
                : []),
              { term: 'ID', value: shown.id ?? '–' },
            ]}
          />
          <div className={classes.below}>
            {actions(shown)}
            <Anchor inherit href={routeHash('streams', route.query)}>
              {t('server-console.all')}
            </Anchor>
          </div>
        </Section>
      )}
      <Section title={t('server-console.view.streams')} state={<StaleChip {...polled} />}>
        {polled.data && streams.length === 0 && (
          <EmptyState title={t('server-console.noStreams')} text={t('server-console.noStreamsText')} />
        )}
        {streams.length > 0 && (
          <DataTable<SrsStream>
            label={t('server-console.view.streams')}
            rows={streams}
            keyOf={({ id, name }) => id ?? name ?? ''}
            actionsTitle={t('helper.actions')}
            actions={actions}
            columns={[
              {
                title: t('server-console.name'),
                isName: true,
                render: (stream) => (
                  <Anchor inherit className={classes.name} href={routeHash('streams', route.query, stream.id)}>
                    {nameOf(stream)}
                  </Anchor>
                ),
              },
              { title: t('server-console.state'), render: (stream) => <StreamStatus stream={stream} /> },
              {
                title: t('server-console.clients'),
                render: ({ clients }) => (clients === undefined ? '–' : formatNumber(clients, locale)),
              },
              { title: t('server-console.in'), render: ({ kbps }) => rate(kbps?.recv_30s) },
              { title: t('server-console.out'), render: ({ kbps }) => rate(kbps?.send_30s) },
              { title: t('server-console.video'), render: videoText },
              { title: t('server-console.audio'), render: audioText },
            ]}
          />
        )}
      </Section>
      <KickDialog target={target} onClose={() => setTarget(undefined)} onKicked={polled.refresh} />
    </>
  );
}

function StreamStatus({ stream }: { stream: SrsStream }) {
  const { t } = useTranslation();
  return stream.publish?.active === false ? (
    <StatusLabel tone="off" word={t('server-console.ended')} />
  ) : (
    <StatusLabel tone="ok" word={t('server-console.live')} />
  );
}

/** `H264 High 3.1 1280×720`. */
function videoText({ video }: SrsStream): string {
  if (!video) return '–';
  const size = video.width && video.height ? `${video.width}×${video.height}` : undefined;
  return parts(video.codec, video.profile, video.level, size);
}

/** `AAC 44100 Hz 2 LC`. */
function audioText({ audio }: SrsStream): string {
  if (!audio) return '–';
  const rate = audio.sample_rate === undefined ? undefined : `${audio.sample_rate} Hz`;
  const channels = audio.channel === undefined ? undefined : `${audio.channel} ch`;
  return parts(audio.codec, audio.profile, rate, channels);
}

function parts(...all: (string | number | undefined)[]): string {
  return all.filter((part) => part !== undefined && part !== '').join(' ') || '–';
}

/** Player page of this server for a stream. */
export function previewAddress(stream: SrsStream, page: URL, playerPort: string | undefined): string {
  const query = new URLSearchParams({ app: stream.app ?? 'live', stream: `${stream.name ?? ''}.flv` });
  const vhost = stream.vhostName;
  if (vhost !== undefined && vhost !== defaultVhost) query.set('vhost', vhost);
  if (playerPort !== undefined && playerPort !== page.port) query.set('port', playerPort);
  query.set('autostart', 'true');
  return `/players/srs_player.html?${query}`;
}
