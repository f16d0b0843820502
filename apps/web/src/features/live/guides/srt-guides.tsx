import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FfplayFields } from '../../../components/guide/ffmpeg-fields.tsx';
import { MoreStep, PlayStep } from '../../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, StartStep, Step, Steps } from '../../../components/guide/guide-steps.tsx';
import { ObsDownloadStep, ObsSrtStep } from '../../../components/guide/obs-steps.tsx';
import { OfferNotice } from '../../../components/guide/offer-notice.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { FfmpegSteps } from './ffmpeg-steps.tsx';

export function ObsSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <SrtGuide guide={guide}>
      <ObsDownloadStep />
      <ObsSrtStep guide={guide} title={t('live.obs.config')} help={t('live.srt.configHelp')} />
      <StartStep text={t('live.obs.start')} />
    </SrtGuide>
  );
}

export function FfmpegSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret } = guide;
  return (
    <SrtGuide guide={guide}>
      <FfmpegSteps
        needs={t('live.srt.ffmpegText')}
        file={values.ffmpegSrt}
        test={values.ffmpegSrtTest}
        url={addresses.srtPublishUrl}
        secret={secret}
      />
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
        <PortStep port={`UDP/${guide.ports.srt}`} />
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
      <FfplayFields values={values} />
    </Step>
  );
}
