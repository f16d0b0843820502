import { Anchor, Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ContactLinks, contactApi, isContactLink, limits, openApiPath } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { type Freshness, StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPencil } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { docsAddress } from '../../lib/docs-address.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { versionQuery } from '../../lib/queries/system-queries.ts';
import { CommunitySlides, ContactLink, slideFields } from './community-slides.tsx';
import classes from './contact.module.css';

const contactQuery = queryOptions({
  queryKey: ['contact'],
  queryFn: ({ signal }) => client.call(contactApi.query, {}, { signal }),
  staleTime: 60_000,
});

export function ContactPage() {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  const contact = useQuery(contactQuery);
  const [isEditing, setIsEditing] = useState(false);
  const links = contact.data;
  return (
    <>
      <PageHead
        title={t('contact.title')}
        purpose={t('contact.intro')}
        action={
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            disabled={!links}
            onClick={() => setIsEditing(true)}
          >
            {t('contact.edit')}
          </Button>
        }
      />
      <Stack gap="md">
        {!links && <PageSkeleton />}
        {links && isChinese && <CommunitySlides links={links} />}
        {links && !isChinese && <LinkList links={links} freshness={contact} />}
        <Documentation />
        <Help />
      </Stack>
      {links && (
        <LinksDialog
          fields={isChinese ? slideFields : listFields}
          links={links}
          opened={isEditing}
          onClose={() => setIsEditing(false)}
        />
      )}
    </>
  );
}

/** Pages of the documentation that come with the console, with their titles. */
const pages = [
  ['live', 'live.tab'],
  ['forward', 'forward.tab'],
  ['vlive', 'vlive.tab'],
  ['camera', 'camera.tab'],
  ['transcode', 'transcode.tab'],
  ['transcript', 'transcript.title'],
  ['dubbing', 'dubbing.title'],
  ['ocr', 'ocr.title'],
  ['rooms', 'rooms.tab'],
  ['auth', 'settings.tabAuth'],
  ['certs', 'settings.tabHttps'],
  ['hooks', 'hooks.tab'],
  ['llm', 'settings.tabLLM'],
  ['platform', 'platform.tab'],
] as const;

const guides = [
  ['start', 'contact.firstSteps'],
  ['recording', 'record.tab'],
  ['configuration', 'contact.configuration'],
  ['troubleshooting', 'contact.troubleshooting'],
] as const;

function Documentation() {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <Section title={t('contact.docsTitle')} help={t('contact.docsText')}>
      <ul className={classes.pages}>
        {guides.map(([name, title]) => (
          <li key={name}>
            <PageLink address={docsAddress(name, locale)}>{t(title)}</PageLink>
          </li>
        ))}
        {pages.map(([name, title]) => (
          <li key={name}>
            <PageLink address={docsAddress(`features-${name}`, locale)}>{t(title)}</PageLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function PageLink({ address, children }: { address: string; children: string }) {
  return (
    <Anchor href={address} target="_blank" rel="noopener" size="sm" underline="hover">
      {children}
    </Anchor>
  );
}

function Help() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery).data?.version ?? '';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Section title={t('contact.apiTitle')}>
        <Text size="sm" mb="sm">
          {t('contact.apiText')}
        </Text>
        <Anchor href={`${openApiPath}?lang=${useLocale()}`} target="_blank" rel="noopener noreferrer" size="sm">
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

const listFields = ['chat', 'social', 'source'] as const;

/** Community links as a plain list, for all languages but Chinese. Missing links are left out; without any, so is the list. */
function LinkList({ links, freshness }: { links: ContactLinks; freshness: Freshness }) {
  const { t } = useTranslation();
  const there = listFields.filter((field) => links[field] !== '');
  if (there.length === 0) return null;
  return (
    <Section title={t('contact.people')} help={t('contact.peopleHelp')} state={<StaleChip {...freshness} />}>
      <ul className={classes.links}>
        {there.map((field) => (
          <li key={field} className={classes.link}>
            <ContactLink href={links[field]}>{t(`contact.${field}.name`)}</ContactLink>
            <Text size="sm" c="dimmed">
              {t(`contact.${field}.text`)}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface LinksDialogProps {
  fields: readonly (keyof ContactLinks)[];
  links: ContactLinks;
  opened: boolean;
  onClose: () => void;
}

function LinksDialog({ fields, links, opened, onClose }: LinksDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<Partial<ContactLinks>>({});
  const textOf = (field: keyof ContactLinks) => drafts[field] ?? links[field];
  const isWrong = (field: keyof ContactLinks) => {
    const text = textOf(field).trim();
    return text !== '' && !isContactLink(text);
  };
  const save = useMutation({
    mutationFn: () => client.call(contactApi.update, drafts),
    onSuccess: (saved) => {
      queries.setQueryData(contactQuery.queryKey, saved);
      setDrafts({});
      notify.success(t('helper.setOk'));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && !fields.some(isWrong)) save.mutate();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('contact.editTitle')}
      centered
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('helper.cancel') }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('contact.editHelp')}
          </Text>
          {fields.map((field) => (
            <TextInput
              key={field}
              size="md"
              label={t(`contact.${field}.name`)}
              placeholder="https://"
              maxLength={limits.contactLinkCharacters}
              value={textOf(field)}
              error={drafts[field] !== undefined && isWrong(field) ? t('contact.invalid') : undefined}
              onChange={(event) => setDrafts({ ...drafts, [field]: event.currentTarget.value })}
            />
          ))}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('helper.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('helper.update')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
