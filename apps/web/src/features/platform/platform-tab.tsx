import { List, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/layout/section.tsx';
import { BalancerPanel } from './balancer-panel.tsx';
import { EdgesPanel } from './edges-panel.tsx';
import { HomepagePanel } from './homepage-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { WindowPanel } from './window-panel.tsx';

export function PlatformTab() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <WindowPanel />
      <HomepagePanel />
      <EdgesPanel />
      <BalancerPanel />
      <HoursPanel />
      <Section title={t('platform.not.title')}>
        <List size="sm" spacing={4}>
          <List.Item>{t('platform.not.ssh')}</List.Item>
          <List.Item>{t('platform.not.proxy')}</List.Item>
        </List>
      </Section>
    </Stack>
  );
}
