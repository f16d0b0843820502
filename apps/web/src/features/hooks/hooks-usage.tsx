import { List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const uses = ['ask', 'tell', 'check'] as const;

export function HooksUsage() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('hooks.intro.summary')}
      </Text>
      <List size="sm" maw={760} spacing="xs">
        {uses.map((use) => (
          <List.Item key={use}>{t(`hooks.intro.${use}`)}</List.Item>
        ))}
      </List>
    </>
  );
}
