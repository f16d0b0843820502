import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TutorialCards } from '../../components/tutorials/tutorial-cards.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { StartHere } from './start-here.tsx';

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
