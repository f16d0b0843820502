import { useTranslation } from 'react-i18next';
import { ProtocolNotice } from '../../components/guide/protocol-notice.tsx';
import { useGuide } from '../../components/guide/use-guide.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { ObsTutorial, SinsamTutorial, VmixTutorial } from './srt-programs.tsx';

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
