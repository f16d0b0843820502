import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { cloudApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { OutsideLink } from '../../components/guide/guide-steps.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { client } from '../../lib/api.ts';
import { cloudKey } from './cloud-queries.ts';

const keyPage = 'https://console.cloud.tencent.com/cam/capi';

interface Account {
  readonly secretId: string;
  readonly secretKey: string;
}

/** The key of the cloud account. It is never shown again: whoever comes here later replaces it. */
export function SecretForm({ isKnown }: { isKnown: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: cloudKey });
  const form = useSettingsForm<Account, readonly (keyof Account)[]>({
    saved: { secretId: '', secretKey: '' },
    check: (account) => {
      const missing = (['secretId', 'secretKey'] as const).filter((field) => account[field] === '');
      return missing.length > 0 ? missing : undefined;
    },
    // Part of it may be prepared even when the rest failed.
    save: (account) => client.call(cloudApi.secret, account).finally(refresh),
    settle: refresh,
    done: t('cloud.secret.ok'),
  });
  return (
    <SettingsForm form={form} width={560} action={t('cloud.secret.submit')}>
      {isKnown && <StatusLabel tone="ok" word={t('cloud.secret.known')} />}
      <TextInput
        size="md"
        label="SecretId"
        description={t('cloud.secret.idHelp')}
        autoComplete="off"
        spellCheck={false}
        value={form.value.secretId}
        error={form.problem?.includes('secretId') && t('cloud.secret.idEmpty')}
        onChange={(event) => form.edit({ secretId: event.currentTarget.value.trim() })}
      />
      <PasswordInput
        size="md"
        label="SecretKey"
        description={t('cloud.secret.keyHelp')}
        visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
        autoComplete="off"
        data-1p-ignore
        spellCheck={false}
        value={form.value.secretKey}
        error={form.problem?.includes('secretKey') && t('cloud.secret.keyEmpty')}
        onChange={(event) => form.edit({ secretKey: event.currentTarget.value.trim() })}
      />
      <Text size="sm">
        {t('cloud.secret.get')} <OutsideLink href={keyPage}>console.cloud.tencent.com</OutsideLink>
      </Text>
      <Notice tone="info" title={t('cloud.secret.resources')} />
    </SettingsForm>
  );
}
