import { useTranslation } from 'react-i18next';
import { Answers } from '../../../components/ui/data/answers.tsx';
import { Accordion } from '../../../components/ui/layout/accordion.tsx';
import { SrtTutorial } from '../../../features/srt-tutorial/srt-tutorial.tsx';
import { useSection } from './use-section.ts';

export function OtherTab() {
  const { t } = useTranslation();
  const section = useSection({ other: '0', srt: '1' });
  return (
    <Accordion
      key={section}
      initial={section}
      items={[
        {
          key: '0',
          title: t('others.intro.title'),
          content: (
            <Answers
              answers={[
                [t('others.intro.what'), t('others.intro.whatText')],
                [t('others.intro.srt'), t('others.intro.srtText')],
              ]}
            />
          ),
        },
        { key: '1', title: t('srtTutorial.title'), help: t('srtTutorial.help'), content: <SrtTutorial /> },
      ]}
    />
  );
}
