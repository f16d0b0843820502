import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits, PublishSecret, publishAuthApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { newSecret } from './new-secret.ts';

export function PublishSecretPanel() {
  const { t } = useTranslation();
  const auth = useQuery(publishAuthQuery);
  const saved = auth.data?.publish ?? '';
  // What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
  const [draft, setDraft] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const save = useSave(() => setDraft(undefined));
  const value = draft ?? saved;
  const { length } = value.trim();
  const isWeak = length >= limits.publishSecretLeast && length < limits.publishSecretGood;

  const edit = (secret: string) => {
    setDraft(secret);
    setRefused(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const secret = value.trim();
    const isGood = PublishSecret.safeParse(secret).success;
    setRefused(secret === '' ? t('settings.secretNoValue') : isGood ? undefined : t('settings.secretInvalid'));
    if (isGood && !save.isPending) save.mutate(secret);
  };

  return (
    <Section
      title={t('settings.authTitle')}
      help={t('settings.authHelp')}
      state={
        auth.data?.pubNoAuth ? (
          <StatusLabel tone="warn" word={t('settings.noAuthOn')} tinted />
        ) : (
          <StaleChip {...auth} />
        )
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md" maw={560}>
          <SecretField
            label={t('settings.authSecret')}
            description={t('settings.authSecretTip')}
            value={value}
            onChange={edit}
            error={refused}
          />
          {isWeak && refused === undefined && <StatusLabel tone="warn" word={t('settings.secretWeak')} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('settings.authSubmit')}
            </Button>
            <Button variant="default" onClick={() => edit(newSecret())}>
              {t('settings.authGenerate')}
            </Button>
            {draft !== undefined && draft !== saved && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (secret: string) => client.call(publishAuthApi.update, { secret }),
    onSuccess: (_answer, publish) => {
      queries.setQueryData(publishAuthQuery.queryKey, (before) => before && { ...before, publish });
      onSaved();
      notify.success(t('settings.secretOk'));
    },
  });
}
