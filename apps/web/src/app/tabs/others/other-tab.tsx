import { useTranslation } from 'react-i18next';
import { SrtTutorial } from '../../../features/srt-tutorial/srt-tutorial.tsx';
import { AccordionTab } from './accordion-tab.tsx';

export function OtherTab() {
  const { t } = useTranslation();
  return (
    <AccordionTab
      tab="other"
      answers={[
        [t('others.intro.what'), t('others.intro.whatText')],
        [t('others.intro.srt'), t('others.intro.srtText')],
      ]}
      sections={[{ name: 'srt', title: t('srtTutorial.title'), help: t('srtTutorial.help'), content: <SrtTutorial /> }]}
    />
  );
}
