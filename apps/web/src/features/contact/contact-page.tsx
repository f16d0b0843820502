import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { openApiPath } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/copy-field.tsx';
import { Section } from '../../components/ui/section.tsx';
import { versionQuery } from '../system/system-queries.ts';

export function ContactPage() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery).data?.version ?? '';
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('contact.title')}</Title>
        <Text c="dimmed" mt={4}>
          {t('contact.intro')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        <Section title={t('contact.docsTitle')}>
          <Text size="sm">{t('contact.docsText')}</Text>
        </Section>
        <Section title={t('contact.apiTitle')}>
          <Text size="sm" mb="sm">
            {t('contact.apiText')}
          </Text>
          <Anchor href={openApiPath} target="_blank" rel="noopener noreferrer" size="sm">
            {t('contact.apiLink')}
          </Anchor>
        </Section>
        <Section title={t('contact.reportTitle')}>
          <Text size="sm" mb="sm">
            {t('contact.reportText')}
          </Text>
          <CopyField label={t('contact.versionLabel')} value={version} />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
