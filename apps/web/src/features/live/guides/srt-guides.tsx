import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MoreStep, PlayStep } from '../../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, StartStep, Step, Steps } from '../../../components/guide/guide-steps.tsx';
import { OfferNotice } from '../../../components/guide/offer-notice.tsx';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';

export function ObsSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <SrtGuide guide={guide}>
      <PortStep port={`UDP/${ports.srt}`} />
      <Step title={t('live.obs.download')}>
        <OutsideLink href={downloads.obs}>obsproject.com</OutsideLink>
      </Step>
      <Step title={t('live.obs.config')} text={t('live.obs.configText')}>
        <FactList
          facts={[
            { term: t('live.obs.service'), value: t('live.obs.custom') },
            { term: t('live.obs.key'), value: t('live.obs.nokey') },
          ]}
        />
        <CopyField
          label={t('live.obs.server')}
          value={addresses.srtPublishUrl}
          secret={secret}
          help={t('live.srt.configHelp')}
          actions={<RotateButton />}
        />
      </Step>
      <StartStep text={t('live.obs.start')} />
    </SrtGuide>
  );
}

export function FfmpegSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret, ports } = guide;
  return (
    <SrtGuide guide={guide}>
      <PortStep port={`UDP/${ports.srt}`} />
      <Step title={t('live.ffmpeg.download')} text={t('live.srt.ffmpegText')}>
        <OutsideLink href={downloads.ffmpeg}>ffmpeg.org</OutsideLink>
      </Step>
      <Step title={t('live.ffmpeg.run')} text={t('live.ffmpeg.runText')}>
        <CopyField
          label={t('live.ffmpeg.cli')}
          value={values.ffmpegSrt}
          secret={secret}
          isLong
          actions={<RotateButton />}
        />
        <CopyField label={t('live.ffmpeg.test')} value={values.ffmpegSrtTest} secret={secret} isLong />
        <CopyField
          label={t('live.ffmpeg.url')}
          value={addresses.srtPublishUrl}
          secret={secret}
          help={t('live.ffmpeg.urlHelp')}
          qrValue={addresses.srtPublishUrl}
          actions={<RotateButton />}
        />
      </Step>
    </SrtGuide>
  );
}

/** What both ways share: whether the server can, and how to watch with the least delay. */
function SrtGuide({ guide, children }: { guide: Guide; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <OfferNotice title={t('live.srt.off')} offer={guide.srtOffer} port={`UDP/${guide.ports.srt}`} />
      <Steps>
        {children}
        <SrtPlayStep guide={guide} />
        <PlayStep guide={guide} />
        <MoreStep guide={guide} />
      </Steps>
    </Stack>
  );
}

function SrtPlayStep({ guide: { addresses, values } }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Step title={t('live.srt.play')} text={`${t('live.srt.wait')} ${t('live.srt.otherPlayers')}`}>
      <CopyField label={t('live.srt.url')} value={addresses.srtPlayUrl} qrValue={addresses.srtPlayUrl} />
      <OutsideLink href={downloads.ffmpeg}>{t('live.srt.ffplay')}</OutsideLink>
      <CopyField label={t('live.srt.win')} value={values.ffplayWindows} isLong />
      <CopyField label={t('live.srt.mac')} value={values.ffplayUnix} isLong />
    </Step>
  );
}
