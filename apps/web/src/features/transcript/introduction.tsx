import { List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const outputs = ['overlay', 'webvtt', 'original'] as const;
const facts = ['first', 'edit', 'privacy', 'delay'] as const;

export function Introduction() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('transcript.intro.summary')}
      </Text>
      <List size="sm" maw={760} spacing="xs">
        {outputs.map((output) => (
          <List.Item key={output}>{t(`transcript.intro.${output}`)}</List.Item>
        ))}
      </List>
      {facts.map((fact) => (
        <Text key={fact} size="sm" maw={760} mt="sm">
          {t(`transcript.intro.${fact}`)}
        </Text>
      ))}
    </>
  );
}
