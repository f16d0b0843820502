import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cloudApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OutsideLink } from '../../components/guide/guide-steps.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { cloudKey } from './cloud-queries.ts';

const keyPage = 'https://console.cloud.tencent.com/cam/capi';

/** The key of the cloud account. It is never shown again: whoever comes here later replaces it. */
export function SecretForm({ isKnown }: { isKnown: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [secretId, setSecretId] = useState('');
  const [secretKey, setSecretKey] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const save = useMutation({
    mutationFn: () => client.call(cloudApi.secret, { secretId, secretKey }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: cloudKey });
      setSecretId('');
      setSecretKey('');
      notify.success(t('cloud.secret.ok'));
    },
    // Part of it may be prepared.
    onError: () => queries.invalidateQueries({ queryKey: cloudKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = secretId === '' || secretKey === '';
    setIsRefused(isMissing);
    if (!isMissing && !save.isPending) save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" maw={560}>
        {isKnown && <StatusLabel tone="ok" word={t('cloud.secret.known')} />}
        <TextInput
          size="md"
          label="SecretId"
          description={t('cloud.secret.idHelp')}
          autoComplete="off"
          spellCheck={false}
          value={secretId}
          error={isRefused && secretId === '' && t('cloud.secret.idEmpty')}
          onChange={(event) => setSecretId(event.currentTarget.value.trim())}
        />
        <PasswordInput
          size="md"
          label="SecretKey"
          description={t('cloud.secret.keyHelp')}
          visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          value={secretKey}
          error={isRefused && secretKey === '' && t('cloud.secret.keyEmpty')}
          onChange={(event) => setSecretKey(event.currentTarget.value.trim())}
        />
        <Text size="sm">
          {t('cloud.secret.get')} <OutsideLink href={keyPage}>console.cloud.tencent.com</OutsideLink>
        </Text>
        <Notice tone="info" title={t('cloud.secret.resources')} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('cloud.secret.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
