import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/layout/section.tsx';
import { StartHere } from './start-here.tsx';
import { TutorialCards } from './tutorial-cards.tsx';

/** Where somebody new begins: the first steps, then what others wrote and filmed. */
export function TutorialsTab() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <StartHere />
      <Section title={t('tutorials.title')} help={t('tutorials.help')}>
        <TutorialCards set="all" />
      </Section>
    </Stack>
  );
}
