import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ContactLinks, contactApi, isContactLink, limits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { contactQuery } from './contact-queries.ts';

interface LinksDialogProps {
  fields: readonly (keyof ContactLinks)[];
  links: ContactLinks;
  opened: boolean;
  onClose: () => void;
}

export function LinksDialog({ fields, links, opened, onClose }: LinksDialogProps) {
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
