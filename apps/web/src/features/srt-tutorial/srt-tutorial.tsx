import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FfplayFields, PublishUrlField } from '../../components/guide/ffmpeg-fields.tsx';
import { PlayStep } from '../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, Step, Steps } from '../../components/guide/guide-steps.tsx';
import { ObsDownloadStep, ObsSrtStep } from '../../components/guide/obs-steps.tsx';
import { ProtocolNotice } from '../../components/guide/protocol-notice.tsx';
import { RotateButton } from '../../components/guide/rotate-button.tsx';
import { type Guide, useGuide } from '../../components/guide/use-guide.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { useLocale } from '../../lib/i18n.ts';
import classes from './srt-tutorial.module.css';
import { srtValues } from './srt-values.ts';

/** Streaming by SRT with less than half a second of delay, per program. */
export function SrtTutorial() {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  const guide = useGuide();
  if (!guide) return <PageSkeleton />;
  const sinsam = {
    key: '3',
    title: t('srtTutorial.sinsam.title'),
    help: t('srtTutorial.sinsam.help'),
    content: <SinsamTutorial guide={guide} />,
  };
  return (
    <>
      <TutorialButton set="srt" />
      <ProtocolNotice title={t('live.srt.off')} offer={guide.srtOffer} port={`UDP/${guide.ports.srt}`} />
      <Accordion
        key={isChinese ? 'zh' : 'en'}
        isInner
        initial={isChinese ? '1' : '2'}
        items={[
          { key: '0', title: t('srtTutorial.introduction'), content: <Introduction /> },
          {
            key: '1',
            title: t('srtTutorial.vmix.title'),
            help: t('srtTutorial.vmix.help'),
            content: <VmixTutorial guide={guide} />,
          },
          {
            key: '2',
            title: t('srtTutorial.obs.title'),
            help: t('srtTutorial.obs.help'),
            content: <ObsTutorial guide={guide} />,
          },
          ...(isChinese ? [sinsam] : []),
        ]}
      />
    </>
  );
}

function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t('srtTutorial.intro.what'), t('srtTutorial.intro.whatText')],
        [t('srtTutorial.intro.which'), t('srtTutorial.intro.whichText')],
        [t('srtTutorial.intro.delay'), t('srtTutorial.intro.delayText')],
      ]}
    />
  );
}

function VmixTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret } = guide;
  const values = srtValues(addresses);
  const place = (
    <>
      <CopyField label={t('srtTutorial.vmix.host')} value={values.host} />
      <CopyField label={t('srtTutorial.vmix.port')} value={values.port} />
      <CopyField label={t('srtTutorial.vmix.latency')} value={values.latencyMs} />
    </>
  );
  return (
    <Tutorial guide={guide}>
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
    </Tutorial>
  );
}

function ObsTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Tutorial guide={guide}>
      <ObsDownloadStep />
      <ObsSrtStep guide={guide} title={t('srtTutorial.obs.stream')} />
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
    </Tutorial>
  );
}

function SinsamTutorial({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret } = guide;
  return (
    <Tutorial guide={guide}>
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
        <PublishUrlField url={addresses.srtPublishUrl} secret={secret} />
      </Step>
      <FfplayStep guide={guide} hasQr />
    </Tutorial>
  );
}

/** Steps that every program's tutorial shares. */
function Tutorial({ guide, children }: { guide: Guide; children: ReactNode }) {
  return (
    <Steps>
      <BeforeStep />
      <PortStep port={`UDP/${guide.ports.srt}`} />
      {children}
      <PlayStep guide={guide} />
      <MeasureStep />
    </Steps>
  );
}

const checks = ['rtt', 'loss', 'wired', 'cpu'] as const;

/** Network requirements that no program can make up for. */
function BeforeStep() {
  const { t } = useTranslation();
  return (
    <Step title={t('srtTutorial.before.title')} text={t('srtTutorial.before.text')}>
      <CopyField label={t('srtTutorial.before.ping')} value={`ping ${window.location.hostname}`} />
      <ul className={classes.checks}>
        {checks.map((check) => (
          <Text component="li" size="sm" key={check}>
            {t(`srtTutorial.before.${check}`)}
          </Text>
        ))}
      </ul>
    </Step>
  );
}

function FfplayStep({ guide: { addresses, values }, hasQr = false }: { guide: Guide; hasQr?: boolean }) {
  const { t } = useTranslation();
  return (
    <Step title={t('srtTutorial.play.title')} text={t('live.srt.wait')}>
      <OutsideLink href={downloads.ffmpeg}>{t('live.srt.ffplay')}</OutsideLink>
      <CopyField
        label={t('live.srt.url')}
        value={addresses.srtPlayUrl}
        {...(hasQr && { qrValue: addresses.srtPlayUrl })}
      />
      <FfplayFields values={values} />
    </Step>
  );
}

/** Delay depends on the machines, so the reader measures it with a photo. */
function MeasureStep() {
  const { t } = useTranslation();
  return <Step title={t('srtTutorial.measure.title')} text={t('srtTutorial.measure.text')} />;
}
