import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Guide, useGuide } from '../../components/guide/use-guide.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import {
  BrowserWhipGuide,
  FfmpegRtmpGuide,
  FfmpegSrtGuide,
  ObsRtmpGuide,
  ObsSrtGuide,
  ObsWhipGuide,
} from './publishing-guides.tsx';
import { StreamWatch } from './stream-watch.tsx';

/** How to publish a stream, and the stream itself once it is live. */
export function LiveGuide() {
  const guide = useGuide();
  if (!guide) return <PageSkeleton />;
  return (
    <Stack gap="md">
      <StreamWatch guide={guide} />
      <Guides guide={guide} />
    </Stack>
  );
}

function Guides({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { srtOffer, rtcOffer, rtc } = guide;
  const off = <StatusLabel tone="off" word={t('live.share.off')} />;
  const srtState = srtOffer.kind === 'off' && off;
  return (
    <Accordion
      initial="1"
      items={[
        { key: '0', title: t('live.intro.title'), content: <Introduction /> },
        {
          key: '1',
          title: t('live.obs.title'),
          help: t('live.obs.help'),
          content: withTutorials(<ObsRtmpGuide guide={guide} />),
        },
        {
          key: '2',
          title: t('live.ffmpeg.title'),
          help: t('live.ffmpeg.help'),
          content: withTutorials(<FfmpegRtmpGuide guide={guide} />),
        },
        {
          key: '3',
          title: t('live.srt.title'),
          help: t('live.srt.help'),
          state: srtState,
          content: withTutorials(<ObsSrtGuide guide={guide} />),
        },
        {
          key: '4',
          title: t('live.srt.ff'),
          help: t('live.srt.ffHelp'),
          state: srtState,
          content: withTutorials(<FfmpegSrtGuide guide={guide} />),
        },
        {
          key: '5',
          title: t('live.rtc.title'),
          help: t('live.rtc.help'),
          state:
            rtcOffer.kind === 'off'
              ? off
              : rtc.obstacle === 'https' && <StatusLabel tone="off" word={t('live.rtc.needsHttps')} />,
          content: withTutorials(<BrowserWhipGuide guide={guide} />),
        },
        {
          key: '6',
          title: t('live.obsWhip.title'),
          help: t('live.obsWhip.help'),
          state: rtcOffer.kind === 'off' && off,
          content: withTutorials(<ObsWhipGuide guide={guide} />),
        },
      ]}
    />
  );
}

function withTutorials(content: ReactNode): ReactNode {
  return (
    <>
      <TutorialButton set="live" />
      {content}
    </>
  );
}

const questions = ['what', 'which', 'watch', 'secret'] as const;

function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers answers={questions.map((question) => [t(`live.intro.${question}`), t(`live.introText.${question}`)])} />
  );
}
