import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/section.tsx';
import { TutorialCards } from './tutorial-cards.tsx';

/** Where somebody new begins: what others wrote and filmed. */
export function TutorialsTab() {
  const { t } = useTranslation();
  return (
    <Section title={t('tutorials.title')} help={t('tutorials.help')}>
      <TutorialCards set="all" />
    </Section>
  );
}
