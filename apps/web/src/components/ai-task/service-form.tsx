import { Stack, Tabs } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { PartTabs } from '../settings-form/part-tabs.tsx';
import { ServiceActions, type ServiceState } from './service-actions.tsx';
import type { AiTaskKind } from './use-ai-task-form.ts';

interface ServiceFormProps<Tab extends string> {
  kind: AiTaskKind;
  form: ServiceState & { readonly tab: Tab; setTab(tab: Tab): void; save(): void };
  parts: readonly { readonly tab: Tab; readonly word: string; readonly content: ReactNode }[];
  /** Number of segments a reset deletes. */
  segments: number;
}

/** Settings of a task. Saving does not start it. */
export function ServiceForm<Tab extends string>({ kind, form, parts, segments }: ServiceFormProps<Tab>) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <PartTabs tab={form.tab} onTab={form.setTab} parts={parts}>
          {parts.map(({ tab, content }) => (
            <Tabs.Panel key={tab} value={tab}>
              {content}
            </Tabs.Panel>
          ))}
        </PartTabs>
        <ServiceActions kind={kind} form={form} segments={segments} />
      </Stack>
    </form>
  );
}
