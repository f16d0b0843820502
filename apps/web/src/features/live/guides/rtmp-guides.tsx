import { useTranslation } from 'react-i18next';
import { MoreStep, PlayStep } from '../../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, StartStep, Step, Steps } from '../../../components/guide/guide-steps.tsx';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';

export function ObsRtmpGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <Step title={t('live.obs.download')}>
        <OutsideLink href={downloads.obs}>obsproject.com</OutsideLink>
      </Step>
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
  const { t } = useTranslation();
  const { values, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <Step title={t('live.ffmpeg.download')}>
        <OutsideLink href={downloads.ffmpeg}>ffmpeg.org</OutsideLink>
      </Step>
      <Step title={t('live.ffmpeg.run')} text={t('live.ffmpeg.runText')}>
        <CopyField
          label={t('live.ffmpeg.cli')}
          value={values.ffmpegRtmp}
          secret={secret}
          isLong
          actions={<RotateButton />}
        />
        <CopyField label={t('live.ffmpeg.test')} value={values.ffmpegRtmpTest} secret={secret} isLong />
        <CopyField
          label={t('live.ffmpeg.url')}
          value={values.rtmpPublishUrl}
          secret={secret}
          help={t('live.ffmpeg.urlHelp')}
          qrValue={values.rtmpPublishUrl}
          actions={<RotateButton />}
        />
      </Step>
      <PlayStep guide={guide} />
      <MoreStep guide={guide} />
    </Steps>
  );
}
