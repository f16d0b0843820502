import { List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const steps = ['publish', 'enter', 'start'] as const;

export function ForwardIntroduction() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('forward.intro.summary')}
      </Text>
      <List type="ordered" size="sm" maw={760} spacing="xs">
        {steps.map((step) => (
          <List.Item key={step}>{t(`forward.intro.${step}`)}</List.Item>
        ))}
      </List>
      <Text size="sm" maw={760} mt="sm" c="dimmed">
        {t('forward.intro.note')}
      </Text>
    </>
  );
}
