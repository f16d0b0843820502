import { Group, Stack, Tabs } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ServiceActions } from '../../../components/segments/service-actions.tsx';
import { CallbackPart } from './callback-part.tsx';
import { ChatPart } from './chat-part.tsx';
import { serviceTabs } from './ocr-draft.ts';
import { ProviderPart } from './provider-part.tsx';
import { StreamPart } from './stream-part.tsx';
import type { OcrForm } from './use-ocr-form.ts';

const parts = { provider: ProviderPart, chat: ChatPart, stream: StreamPart, callback: CallbackPart } as const;

/** Who reads, what is asked, which stream, and who is told. Saving and starting are two things. */
export function ServiceForm({ form, segments }: { form: OcrForm; segments: number }) {
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
                {t(`ocr.tab.${tab}`)}
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
            start={t('ocr.start')}
            stop={t('ocr.stop')}
            reset={t('ocr.reset')}
            resetTitle={t('ocr.resetTitle')}
            resetText={t('ocr.resetText', { count: segments })}
          />
        </Group>
      </Stack>
    </form>
  );
}
