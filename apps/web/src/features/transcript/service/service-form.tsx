import { Group, Stack, Tabs } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ServiceActions } from '../../../components/segments/service-actions.tsx';
import { AsrPart } from './asr-part.tsx';
import { OverlayPart } from './overlay-part.tsx';
import { ProviderPart } from './provider-part.tsx';
import { serviceTabs } from './transcript-draft.ts';
import type { TranscriptForm } from './use-transcript-form.ts';
import { WebVttPart } from './webvtt-part.tsx';

const parts = { provider: ProviderPart, asr: AsrPart, overlay: OverlayPart, webvtt: WebVttPart } as const;

/** Who recognises, what, and how it looks. Saving and starting are two things. `segments`: how many a reset removes. */
export function ServiceForm({ form, segments }: { form: TranscriptForm; segments: number }) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Tabs
          value={form.tab}
          onChange={(value) => form.setTab(serviceTabs.find((tab) => tab === value) ?? 'provider')}
        >
          <Tabs.List mb="md">
            {serviceTabs.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(`transcript.tab.${tab}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {serviceTabs.map((tab) => {
            const Part = parts[tab];
            return (
              <Tabs.Panel key={tab} value={tab}>
                <Part form={form} />
              </Tabs.Panel>
            );
          })}
        </Tabs>
        <Group gap="sm">
          <ServiceActions
            form={form}
            start={t('transcript.start')}
            stop={t('transcript.stop')}
            reset={t('transcript.reset')}
            resetTitle={t('transcript.resetTitle')}
            resetText={t('transcript.resetText', { count: segments })}
          />
        </Group>
      </Stack>
    </form>
  );
}
