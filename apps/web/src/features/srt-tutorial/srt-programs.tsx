import { useTranslation } from 'react-i18next';
import { PlayStep } from '../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, Step, Steps } from '../../components/guide/guide-steps.tsx';
import { RotateButton } from '../../components/guide/rotate-button.tsx';
import type { Guide } from '../../components/guide/use-guide.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { BeforeStep, FfplayStep, MeasureStep } from './srt-steps.tsx';
import { srtValues } from './srt-values.ts';

export function VmixTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  const values = srtValues(addresses);
  const place = (
    <>
      <CopyField label={t('srtTutorial.vmix.host')} value={values.host} />
      <CopyField label={t('srtTutorial.vmix.port')} value={values.port} />
      <CopyField label={t('srtTutorial.vmix.latency')} value={values.latencyMs} />
    </>
  );
  return (
    <Steps>
      <BeforeStep />
      <PortStep port={`UDP/${ports.srt}`} />
      <Step title={t('srtTutorial.vmix.download')}>
        <OutsideLink href="https://www.vmix.com">vmix.com</OutsideLink>
      </Step>
      <Step title={t('srtTutorial.vmix.publish')} text={t('srtTutorial.vmix.publishText')}>
        <FactList facts={[{ term: t('srtTutorial.vmix.type'), value: 'Caller' }]} />
        {place}
        <CopyField
          label={t('srtTutorial.vmix.publishId')}
          value={values.publishId}
          secret={secret}
          actions={<RotateButton />}
        />
      </Step>
      <Step title={t('srtTutorial.vmix.play')} text={t('srtTutorial.vmix.playText')}>
        <FactList
          facts={[
            { term: t('srtTutorial.vmix.type'), value: 'Caller' },
            { term: t('srtTutorial.vmix.host'), value: values.host },
            { term: t('srtTutorial.vmix.port'), value: values.port },
            { term: t('srtTutorial.vmix.latency'), value: values.latencyMs },
          ]}
        />
        <CopyField label={t('srtTutorial.vmix.playId')} value={values.playId} help={t('srtTutorial.vmix.hardware')} />
      </Step>
      <PlayStep guide={guide} />
      <MeasureStep />
    </Steps>
  );
}

export function ObsTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <Steps>
      <BeforeStep />
      <PortStep port={`UDP/${ports.srt}`} />
      <Step title={t('live.obs.download')}>
        <OutsideLink href={downloads.obs}>obsproject.com</OutsideLink>
      </Step>
      <Step title={t('srtTutorial.obs.stream')} text={t('live.obs.configText')}>
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
          actions={<RotateButton />}
        />
      </Step>
      <Step title={t('srtTutorial.obs.output')} text={t('srtTutorial.obs.outputText')}>
        <FactList
          facts={[
            { term: t('srtTutorial.obs.mode'), value: t('srtTutorial.obs.advanced') },
            { term: t('srtTutorial.obs.encoder'), value: 'x264' },
            { term: t('srtTutorial.obs.rate'), value: 'CBR' },
            { term: t('srtTutorial.obs.preset'), value: 'veryfast' },
            { term: t('srtTutorial.obs.profile'), value: 'baseline' },
            { term: t('srtTutorial.obs.tune'), value: 'zerolatency' },
          ]}
        />
        <CopyField label={t('srtTutorial.obs.keyframe')} value="3" help={t('srtTutorial.obs.keyframeHelp')} />
      </Step>
      <FfplayStep guide={guide} />
      <PlayStep guide={guide} />
      <MeasureStep />
    </Steps>
  );
}

export function SinsamTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <Steps>
      <BeforeStep />
      <PortStep port={`UDP/${ports.srt}`} />
      <Step title={t('srtTutorial.sinsam.download')}>
        <OutsideLink href="https://www.sinsam.com">sinsam.com</OutsideLink>
      </Step>
      <Step title={t('srtTutorial.sinsam.publish')} text={t('srtTutorial.sinsam.publishText')}>
        <FactList
          facts={[
            { term: t('srtTutorial.sinsam.way'), value: t('srtTutorial.sinsam.custom') },
            { term: t('srtTutorial.sinsam.network'), value: t('srtTutorial.sinsam.single') },
            { term: t('srtTutorial.obs.encoder'), value: t('srtTutorial.sinsam.software') },
            { term: t('srtTutorial.obs.profile'), value: 'baseline' },
            { term: t('srtTutorial.obs.rate'), value: 'CBR' },
          ]}
        />
        <CopyField
          label={t('live.ffmpeg.url')}
          value={addresses.srtPublishUrl}
          secret={secret}
          help={t('live.ffmpeg.urlHelp')}
          qrValue={addresses.srtPublishUrl}
          actions={<RotateButton />}
        />
      </Step>
      <FfplayStep guide={guide} hasQr />
      <PlayStep guide={guide} />
      <MeasureStep />
    </Steps>
  );
}
