import { ActionIcon, Button, Menu } from '@mantine/core';
import type { ActiveStream, EndedStream } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../../components/feature-parts.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { useNow } from '../../../components/processes/use-now.ts';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { useAudioText, useVideoText } from '../../../components/streams/facts/stream-facts.tsx';
import { useEndedText } from '../../../components/streams/facts/use-ended-text.ts';
import { type Freshness, StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../../components/ui/feedback/state-pill.tsx';
import { PageHead } from '../../../components/ui/layout/page-head.tsx';
import { IconDots, IconExternalLink } from '../../../components/ui/theme/icons.ts';
import { formatDateTime, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { KickoffDialog } from '../kickoff-dialog.tsx';
import classes from './stream-page.module.css';

interface StreamHeadProps {
  place: WirePlace;
  live: ActiveStream | undefined;
  ended: EndedStream | undefined;
  freshness: Freshness;
  guide: Guide | undefined;
}

/** Name, state, duration and origin of the stream. */
export function StreamHead({ place, live, ended, freshness, guide }: StreamHeadProps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const origin = useOrigin(live);
  const state = live ? t('live.watch.live') : t('streamPage.offAir');
  const label = streamLabel(place);
  return (
    <PageHead
      title={label}
      crumbs={[{ label: t('overview.title'), to: localPath(`${paths.scenario}?tab=overview`) }]}
      state={
        <>
          <div role="status">
            {freshness.failureCount > 0 ? (
              <StaleChip {...freshness} />
            ) : (
              <StatePill tone={live ? 'ok' : 'off'} word={state} />
            )}
          </div>
          {live && freshness.failureCount === 0 && <Since at={live.update} />}
          {live && <FeatureParts slot="streamBadge" props={{ stream: place }} />}
        </>
      }
      purpose={live ? origin : <EndedLine ended={ended} />}
      action={live && <HeadActions stream={live} guide={guide} />}
    />
  );
}

function EndedLine({ ended }: { ended: EndedStream | undefined }) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  return ended ? endedText(ended) : t('streamPage.offAirLine');
}

function Since({ at }: { at: string }) {
  const locale = useLocale();
  const now = useNow(true);
  const seconds = Math.max(0, (now - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={formatDateTime(new Date(at))} className={classes.since}>
      {formatDuration(seconds, locale)}
    </time>
  );
}

/** `RTMP from 203.0.113.20 · Stream key “Stage B” · H.264 High · 1920 × 1080 · 30 fps, AAC · 48 kHz · stereo` */
function useOrigin(live: ActiveStream | undefined): string {
  const { t } = useTranslation();
  const media = live?.media;
  const video = useVideoText(media);
  const audio = useAudioText(media);
  if (!media) return '';
  const from =
    media.protocol === 'program'
      ? t('live.facts.program')
      : media.protocol !== '' &&
        t('live.facts.from', { protocol: protocolName(media.protocol), address: media.address });
  const tracks = [video, audio].filter((text) => text !== undefined).join(t('live.facts.listComma'));
  const key = live.key !== undefined && t('live.facts.key', { key: live.key });
  return [from, key, tracks].filter(Boolean).join(' · ');
}

function HeadActions({ stream, guide }: { stream: ActiveStream; guide: Guide | undefined }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  // HLS plays on every phone and browser.
  const watch = guide && (guide.edge ?? { player: guide.addresses.hlsPlayer }).player;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={34} className={classes.menu} aria-label={t('streamPage.more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="var(--weir-tone-bad)" onClick={() => setIsAsking(true)}>
            {t('streamPage.disconnect')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {watch && (
        <Button
          component="a"
          href={watch}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('streamPage.watchPage')}
        </Button>
      )}
      <KickoffDialog stream={stream} opened={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}
