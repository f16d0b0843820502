import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const facts = ['summary', 'first', 'often', 'privacy'] as const;

export function Introduction() {
  const { t } = useTranslation();
  return (
    <>
      {facts.map((fact, index) => (
        <Text key={fact} size="sm" maw={760} mt={index === 0 ? 0 : 'sm'}>
          {t(`ocr.intro.${fact}`)}
        </Text>
      ))}
    </>
  );
}
