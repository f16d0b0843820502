import { Group, Stack, Tabs } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { AiTaskKind } from './kind.ts';
import { ServiceActions, type ServiceState } from './service-actions.tsx';
import classes from './service-form.module.css';

interface ServiceFormProps<Tab extends string> {
  kind: AiTaskKind;
  form: ServiceState & { readonly tab: Tab; setTab(tab: Tab): void; save(): void };
  parts: readonly { readonly tab: Tab; readonly word: string; readonly content: ReactNode }[];
  /** How many a reset removes. */
  segments: number;
}

/** Settings in parts, of which one is seen. Saving and starting are two things. */
export function ServiceForm<Tab extends string>({ kind, form, parts, segments }: ServiceFormProps<Tab>) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  const choose = (value: string | null) => {
    const part = parts.find(({ tab }) => tab === value);
    if (part) form.setTab(part.tab);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Tabs value={form.tab} onChange={choose}>
          <Tabs.List mb="md" className={classes.parts}>
            {parts.map(({ tab, word }) => (
              <Tabs.Tab key={tab} value={tab} className={classes.part}>
                {word}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {parts.map(({ tab, content }) => (
            <Tabs.Panel key={tab} value={tab}>
              {content}
            </Tabs.Panel>
          ))}
        </Tabs>
        <Group gap="sm">
          <ServiceActions kind={kind} form={form} segments={segments} />
        </Group>
      </Stack>
    </form>
  );
}
