import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { limits, noAuthFlag, PublishSecret, publishAuthApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { SwitchPanel } from '../../components/settings-form/switch-panel.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { StreamKeysPanel } from './stream-keys-panel.tsx';

export function PublishAuthPanels() {
  const [query] = useSearchParams();
  return (
    <>
      <PublishSecretPanel />
      <StreamKeysPanel />
      {query.get(noAuthFlag) === 'true' && <NoAuthPanel />}
    </>
  );
}

/** Opens the server to everyone, so it shows only at a special address. */
function NoAuthPanel() {
  const { t } = useTranslation();
  const auth = useQuery(publishAuthQuery);
  return (
    <SwitchPanel
      title={t('settings.noAuthTitle')}
      help={t('settings.noAuthHelp')}
      label={t('settings.noAuthTips')}
      freshness={auth}
      saved={auth.data?.pubNoAuth}
      save={(pubNoAuth) => client.call(publishAuthApi.disable, { pubNoAuth })}
      refresh={(queries, pubNoAuth) =>
        queries.setQueryData(publishAuthQuery.queryKey, (before) => before && { ...before, pubNoAuth })
      }
    />
  );
}

function PublishSecretPanel() {
  const { t } = useTranslation();
  const auth = useQuery(publishAuthQuery);
  const form = useSettingsForm({
    saved: { publish: auth.data?.publish ?? '' },
    isKnown: auth.data !== undefined,
    check: ({ publish }) => {
      if (publish.trim() === '') return t('settings.secretNoValue');
      return PublishSecret.safeParse(publish.trim()).success ? undefined : t('settings.secretInvalid');
    },
    save: ({ publish }) => client.call(publishAuthApi.update, { secret: publish.trim() }),
    refresh: (queries, { publish }) =>
      queries.setQueryData(publishAuthQuery.queryKey, (before) => before && { ...before, publish: publish.trim() }),
    done: t('settings.secretOk'),
  });
  const { length } = form.value.publish.trim();
  const isWeak = length >= limits.publishSecretLeast && length < limits.publishSecretGood;

  return (
    <Section
      isSplit
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
      <SettingsForm
        form={form}
        width={560}
        action={t('settings.authSubmit')}
        actions={
          <Button variant="default" onClick={() => form.edit({ publish: newSecret() })}>
            {t('settings.authGenerate')}
          </Button>
        }
      >
        <SecretField
          label={t('settings.authSecret')}
          description={t('settings.authSecretTip')}
          value={form.value.publish}
          onChange={(publish) => form.edit({ publish })}
          error={form.problem}
        />
        {isWeak && form.problem === undefined && <StatusLabel tone="warn" word={t('settings.secretWeak')} />}
      </SettingsForm>
    </Section>
  );
}

/** Creates 32 hexadecimal digits, the format of the server's own secrets. */
function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
