import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { CopyField } from '../ui/fields/copy-field.tsx';
import classes from './guide.module.css';
import { OutsideLink, Step } from './guide-steps.tsx';
import type { Guide } from './use-guide.ts';
import { isLoopback } from './webrtc-availability.ts';

/** All ways to watch: browser, other players, phone. */
export function PlayStep({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Step title={t('live.share.title')} text={<PlayText />}>
      <PlayWays guide={guide} />
    </Step>
  );
}

export function PlayText() {
  const { t } = useTranslation();
  const { hostname } = window.location;
  return isLoopback(hostname) ? t('live.share.local', { host: hostname }) : t('live.share.titleText');
}

export function PlayWays({ guide: { addresses, values, edge, rtc, rtcOffer } }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Stack gap="lg">
      <Way
        label={t('live.share.flv')}
        help={t('live.share.flvHelp')}
        url={addresses.flvUrl}
        player={addresses.flvPlayer}
        skinPlayer={values.flvSkinPlayer}
      />
      <Way
        label={t('live.share.hls')}
        help={t('live.share.hlsHelp')}
        url={addresses.m3u8Url}
        player={addresses.hlsPlayer}
        skinPlayer={values.hlsSkinPlayer}
      />
      {edge && <Way label={t('live.share.edge')} help={t('live.share.edgeHelp')} url={edge.url} player={edge.player} />}
      {rtcOffer.kind === 'off' || !rtc.canPlay ? (
        <Text size="sm" c="dimmed">
          {rtcOffer.kind === 'off' ? t('live.rtc.noPlay') : t('live.rtc.whep')}
        </Text>
      ) : (
        <Way
          label={t('live.share.rtc')}
          help={t('live.share.rtcHelp')}
          url={addresses.whepUrl}
          player={addresses.rtcPlayer}
        />
      )}
    </Stack>
  );
}

interface WayProps {
  label: string;
  help: string;
  url: string;
  player: string;
  skinPlayer?: string;
}

function Way({ label, help, url, player, skinPlayer }: WayProps) {
  const { t } = useTranslation();
  return (
    <div>
      <CopyField label={label} value={url} help={help} qrValue={new URL(player, window.location.href).href} />
      <Group gap="md" mt={6}>
        <OutsideLink href={player}>{t('live.share.simple')}</OutsideLink>
        {skinPlayer && <OutsideLink href={skinPlayer}>{t('live.share.xg')}</OutsideLink>}
      </Group>
    </div>
  );
}

/** Further uses: WordPress embed and the server console. */
export function WordPressFields({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { addresses, values } = guide;
  return (
    <>
      <details className={classes.details}>
        <summary>{t('live.share.wp')}</summary>
        <Stack gap="sm" mt="sm">
          <CopyField label={t('live.share.wpflv')} value={values.flvShortcode} />
          <CopyField label={t('live.share.wphls')} value={values.hlsShortcode} />
          <CopyField label={t('live.share.wprtc')} value={values.rtcShortcode} />
        </Stack>
      </details>
      <Anchor href={locale === 'zh' ? addresses.cnConsole : addresses.enConsole} size="sm">
        {t('live.share.console')}
      </Anchor>
    </>
  );
}
