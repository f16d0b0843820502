import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type StreamKeyRow, streamKeyLimits, streamKeyProtocols, streamKeysApi } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { blankDraft, findProblems, type KeyDraft, toDraft, toFields } from './stream-key-draft.ts';
import type { ShownKey } from './stream-keys-panel.tsx';
import { streamKeysQuery } from './stream-keys-query.ts';

interface StreamKeySheetProps {
  /** Undefined adds one. */
  streamKey: StreamKeyRow | undefined;
  opened: boolean;
  onMade: (shown: ShownKey) => void;
  onClose: () => void;
}

export function StreamKeySheet({ streamKey, opened, onMade, onClose }: StreamKeySheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<KeyDraft>(() => (streamKey ? toDraft(streamKey) : blankDraft));
  const [isChecked, setIsChecked] = useState(false);
  const edit = (change: Partial<KeyDraft>) => setDraft({ ...draft, ...change });
  const problems = isChecked ? findProblems(draft) : new Set();
  const save = useMutation({
    mutationFn: async () => {
      if (streamKey) await client.call(streamKeysApi.update, { uuid: streamKey.uuid, ...toFields(draft) });
      else onMade(await client.call(streamKeysApi.create, { ...toFields(draft), secret: draft.secret }));
    },
    onSuccess: () => {
      if (streamKey) notify.success(t('settings.keys.saved'));
      onClose();
      return queries.invalidateQueries({ queryKey: streamKeysQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (findProblems(draft).size === 0 && !save.isPending) save.mutate();
  };
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={streamKey ? t('settings.keys.editTitle', { name: streamKey.name }) : t('settings.keys.addTitle')}
      footer={
        <>
          <Button type="submit" form={formId} loading={save.isPending}>
            {streamKey ? t('helper.update') : t('settings.keys.create')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('settings.keys.name')}
            description={t('settings.keys.nameHelp')}
            maxLength={streamKeyLimits.nameCharacters}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
            error={problems.has('name') && t('settings.keys.nameMissing')}
          />
          <Textarea
            label={t('settings.keys.streams')}
            description={t('settings.keys.streamsHelp')}
            placeholder="live/stage-b"
            rows={3}
            autoComplete="off"
            spellCheck={false}
            value={draft.streams}
            onChange={(event) => edit({ streams: event.currentTarget.value })}
            error={
              (problems.has('streams') && t('settings.keys.streamsMissing')) ||
              (problems.has('pattern') && t('settings.keys.streamsInvalid'))
            }
          />
          <Checkbox.Group
            label={t('settings.keys.protocols')}
            description={t('settings.keys.protocolsHelp')}
            value={[...draft.protocols]}
            onChange={(chosen) => edit({ protocols: streamKeyProtocols.filter((one) => chosen.includes(one)) })}
          >
            <Group mt="xs">
              <Checkbox value="rtmp" label="RTMP" />
              <Checkbox value="srt" label="SRT" />
              <Checkbox value="rtc" label="WebRTC (WHIP)" />
            </Group>
          </Checkbox.Group>
          <TextInput
            type="datetime-local"
            label={t('settings.keys.expires')}
            description={t('settings.keys.expiresHelp')}
            value={draft.expires}
            onChange={(event) => edit({ expires: event.currentTarget.value })}
          />
          <TextInput
            label={t('settings.keys.publishers')}
            description={t('settings.keys.publishersHelp')}
            placeholder={t('settings.keys.anyNumber')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.publishers}
            onChange={(event) => edit({ publishers: event.currentTarget.value })}
            error={
              problems.has('publishers') && t('helper.wholeNumber', { least: 0, most: streamKeyLimits.publishers })
            }
          />
          {!streamKey && (
            <SecretField
              size="sm"
              label={t('settings.keys.value')}
              description={t('settings.keys.valueHelp')}
              value={draft.secret}
              onChange={(secret) => edit({ secret: secret.trim() })}
              error={problems.has('secret') ? t('settings.secretInvalid') : undefined}
            />
          )}
        </Stack>
      </form>
    </SideSheet>
  );
}
