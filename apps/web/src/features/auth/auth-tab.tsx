import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { signInBookmark } from './sign-in-address.ts';
import { SignOutPanel } from './sign-out-panel.tsx';

export function AuthTab() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <FeatureParts slot="accessPanels" props={{}} />
      <PasswordPanel />
      <Section title={t('settings.addressTitle')} help={t('settings.addressHelp')}>
        <CopyField label={t('settings.addressLabel')} value={signInBookmark(window.location.origin)} />
      </Section>
      <SignOutPanel />
    </Stack>
  );
}
