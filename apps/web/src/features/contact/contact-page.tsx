import { Anchor, Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { openApiPath } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { versionQuery } from '../../lib/queries/system-queries.ts';
import { CommunitySlides, slideFields } from './community-slides.tsx';
import { contactQuery } from './contact-queries.ts';
import { LinkList, listFields } from './link-list.tsx';
import { LinksDialog } from './links-dialog.tsx';

export function ContactPage() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('contact.title')}</Title>
        <Text c="dimmed" mt={4}>
          {t('contact.intro')}
        </Text>
      </div>
      <People />
      <Help />
    </Stack>
  );
}

function People() {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  const contact = useQuery(contactQuery);
  const [isEditing, setIsEditing] = useState(false);
  const links = contact.data;
  if (!links) return <PageSkeleton />;
  return (
    <Stack gap="sm" maw={720} w="100%">
      {isChinese ? <CommunitySlides links={links} /> : <LinkList links={links} freshness={contact} />}
      <div>
        <Button variant="default" size="xs" onClick={() => setIsEditing(true)}>
          {t('contact.edit')}
        </Button>
      </div>
      <LinksDialog
        fields={isChinese ? slideFields : listFields}
        links={links}
        opened={isEditing}
        onClose={() => setIsEditing(false)}
      />
    </Stack>
  );
}

/** What comes with the server, and needs nobody else. */
function Help() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery).data?.version ?? '';
  return (
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
  );
}
