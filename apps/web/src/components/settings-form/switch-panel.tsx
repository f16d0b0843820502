import { Checkbox } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Freshness, StaleChip } from '../ui/feedback/stale-chip.tsx';
import { Section } from '../ui/layout/section.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface SwitchPanelProps {
  title: string;
  help: string;
  label: string;
  description?: string;
  freshness: Freshness;
  /** Undefined while unknown. */
  saved: boolean | undefined;
  save: (isOn: boolean) => Promise<unknown>;
  refresh: (queries: QueryClient, isOn: boolean) => unknown;
}

/** A boolean setting. The checkbox shows the draft, else the saved value. */
export function SwitchPanel(props: SwitchPanelProps) {
  const { t } = useTranslation();
  const form = useSettingsForm({
    saved: { isOn: props.saved ?? false },
    isKnown: props.saved !== undefined,
    save: ({ isOn }) => props.save(isOn),
    refresh: (queries, { isOn }) => props.refresh(queries, isOn),
    done: t('helper.setOk'),
  });
  return (
    <Section isSplit title={props.title} help={props.help} state={<StaleChip {...props.freshness} />}>
      <SettingsForm form={form} width={560}>
        <Checkbox
          label={props.label}
          description={props.description}
          checked={form.value.isOn}
          disabled={!form.isKnown}
          onChange={(event) => form.edit({ isOn: event.currentTarget.checked })}
        />
      </SettingsForm>
    </Section>
  );
}
