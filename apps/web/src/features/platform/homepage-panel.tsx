import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Homepage, platformApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { homepageQuery } from './platform-queries.ts';

export function HomepagePanel() {
  const { t } = useTranslation();
  const query = useQuery(homepageQuery);
  const form = useSettingsForm({
    saved: { homepage: query.data?.homepage ?? '' },
    isKnown: query.data !== undefined,
    check: ({ homepage }) => {
      if (homepage.trim() === '') return t('platform.homepage.required');
      return Homepage.safeParse(homepage.trim()).success ? undefined : t('platform.homepage.invalid');
    },
    save: ({ homepage }) => client.call(platformApi.updateHomepage, { homepage: homepage.trim() }),
    settle: (queries) => queries.invalidateQueries(homepageQuery),
    done: t('helper.setOk'),
  });
  return (
    <Section title={t('platform.homepage.title')} help={t('platform.homepage.help')} state={<StaleChip {...query} />}>
      <SettingsForm form={form} width={560}>
        <TextInput
          size="md"
          label={t('platform.homepage.field')}
          description={t('platform.homepage.tip')}
          autoComplete="off"
          spellCheck={false}
          value={form.value.homepage}
          onChange={(event) => form.edit({ homepage: event.currentTarget.value })}
          error={form.problem}
        />
      </SettingsForm>
    </Section>
  );
}
