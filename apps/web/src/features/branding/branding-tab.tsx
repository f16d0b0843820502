import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Branding, brandingApi, limits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { brandingQuery } from './branding-queries.ts';

export function BrandingTab() {
  const { t } = useTranslation();
  return (
    <SectionGroup>
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
    </SectionGroup>
  );
}

interface BrandingPanelProps {
  field: keyof Branding;
  title: string;
  help: string;
  label: string;
  placeholder: string;
  action: string;
}

function BrandingPanel({ field, title, help, label, placeholder, action }: BrandingPanelProps) {
  const { t } = useTranslation();
  const branding = useQuery(brandingQuery);
  const form = useSettingsForm({
    saved: { text: branding.data?.[field] ?? '' },
    isKnown: branding.data !== undefined,
    save: ({ text }) => client.call(brandingApi.update, { beian: field, text: text.trim() }),
    // Title and footer change at once; the next response of the server confirms them.
    refresh: (queries, { text }) =>
      queries.setQueryData(brandingQuery.queryKey, (before) => ({ ...before, [field]: text.trim() })),
    done: t('helper.setOk'),
  });
  return (
    <Section isSplit title={title} help={help} state={<StaleChip {...branding} />}>
      <SettingsForm form={form} width={560} action={action}>
        <TextInput
          size="md"
          label={label}
          placeholder={placeholder}
          maxLength={limits.brandingCharacters}
          value={form.value.text}
          onChange={(event) => form.edit({ text: event.currentTarget.value })}
        />
      </SettingsForm>
    </Section>
  );
}
