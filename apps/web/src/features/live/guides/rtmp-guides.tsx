import { useTranslation } from 'react-i18next';
import { MoreStep, PlayStep } from '../../../components/guide/guide-players.tsx';
import { PortStep, StartStep, Step, Steps } from '../../../components/guide/guide-steps.tsx';
import { ObsDownloadStep } from '../../../components/guide/obs-steps.tsx';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { FfmpegSteps } from './ffmpeg-steps.tsx';

export function ObsRtmpGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <ObsDownloadStep />
      <Step title={t('live.obs.config')} text={t('live.obs.configText')}>
        <FactList facts={[{ term: t('live.obs.service'), value: t('live.obs.custom') }]} />
        <CopyField label={t('live.obs.server')} value={addresses.rtmpServer} />
        <CopyField
          label={t('live.obs.key')}
          value={addresses.rtmpStreamKey}
          secret={secret}
          help={t('live.obs.keyHelp')}
          actions={<RotateButton />}
        />
      </Step>
      <StartStep text={t('live.obs.start')} />
      <PlayStep guide={guide} />
      <MoreStep guide={guide} />
    </Steps>
  );
}

export function FfmpegRtmpGuide({ guide }: { guide: Guide }) {
  const { values, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <FfmpegSteps file={values.ffmpegRtmp} test={values.ffmpegRtmpTest} url={values.rtmpPublishUrl} secret={secret} />
      <PlayStep guide={guide} />
      <MoreStep guide={guide} />
    </Steps>
  );
}
