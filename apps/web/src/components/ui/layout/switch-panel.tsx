import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Freshness, StaleChip } from '../feedback/stale-chip.tsx';
import { StatusLabel } from '../feedback/status-label.tsx';
import { Section } from './section.tsx';

export interface SwitchPanelProps {
  title: string;
  help: string;
  /** What a tick means. */
  label: string;
  /** What follows from it. */
  description?: string;
  freshness: Freshness;
  /** Undefined while it is not known. */
  saved: boolean | undefined;
  isSaving: boolean;
  onSave: (isOn: boolean) => Promise<unknown>;
}

/** One yes or no of the settings. The box shows what was ticked here, else what the server says. */
export function SwitchPanel(props: SwitchPanelProps) {
  const { t } = useTranslation();
  const { saved, isSaving } = props;
  const [draft, setDraft] = useState<boolean>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isOn = draft ?? saved;
    if (isSaving || isOn === undefined) return;
    try {
      await props.onSave(isOn);
      setDraft(undefined);
    } catch {
      // Told above the page; the tick stays as it was put.
    }
  };

  return (
    <Section title={props.title} help={props.help} state={<StaleChip {...props.freshness} />}>
      <form onSubmit={submit}>
        <Stack gap="md" maw={560}>
          <Checkbox
            label={props.label}
            description={props.description}
            checked={draft ?? saved ?? false}
            disabled={saved === undefined}
            onChange={(event) => setDraft(event.currentTarget.checked)}
          />
          <Group>
            <Button type="submit" loading={isSaving} disabled={saved === undefined}>
              {t('helper.update')}
            </Button>
            {draft !== undefined && draft !== saved && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
