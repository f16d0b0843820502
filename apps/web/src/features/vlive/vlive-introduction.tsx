import { List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const steps = ['choose', 'enter', 'start'] as const;

export function VliveIntroduction() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('vlive.intro.summary')}
      </Text>
      <List type="ordered" size="sm" maw={760} spacing="xs">
        {steps.map((step) => (
          <List.Item key={step}>{t(`vlive.intro.${step}`)}</List.Item>
        ))}
      </List>
      <Text size="sm" maw={760} mt="sm" c="dimmed">
        {t('vlive.intro.note')}
      </Text>
    </>
  );
}
