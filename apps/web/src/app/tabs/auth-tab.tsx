import { Stack } from '@mantine/core';
import { noAuthFlag } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { PasswordPanel } from '../../features/auth/password-panel.tsx';
import { signInBookmark } from '../../features/auth/sign-in-address.ts';
import { SignOutPanel } from '../../features/auth/sign-out-panel.tsx';
import { NoAuthPanel } from '../../features/publish-auth/no-auth-panel.tsx';
import { PublishSecretPanel } from '../../features/publish-auth/publish-secret-panel.tsx';

export function AuthTab() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  return (
    <Stack gap="md">
      <PublishSecretPanel />
      {query.get(noAuthFlag) === 'true' && <NoAuthPanel />}
      <PasswordPanel />
      <Section title={t('settings.addressTitle')} help={t('settings.addressHelp')}>
        <CopyField label={t('settings.addressLabel')} value={signInBookmark(window.location.origin)} />
      </Section>
      <SignOutPanel />
    </Stack>
  );
}
