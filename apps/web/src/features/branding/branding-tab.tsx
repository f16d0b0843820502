import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BrandingPanel } from './branding-panel.tsx';

export function BrandingTab() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <BrandingPanel
        field="icp"
        title={t('settings.footerTitle')}
        help={t('settings.footerHelp')}
        label={t('settings.footerIcp')}
        placeholder={t('settings.footerHolder')}
        action={t('settings.footerSubmit')}
      />
      <BrandingPanel
        field="title"
        title={t('settings.headerTitle')}
        help={t('settings.headerHelp')}
        label={t('settings.headerIcp')}
        placeholder={t('settings.headerHolder')}
        action={t('settings.headerSubmit')}
      />
    </Stack>
  );
}
