import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import type { SettingsFormState } from './use-settings-form.ts';

interface SettingsFormProps {
  form: Pick<SettingsFormState<object, unknown>, 'isKnown' | 'isChanged' | 'isSaving' | 'submit'>;
  /** Button label; "update" by default. */
  action?: string;
  width?: number;
  isDisabled?: boolean;
  /** Another action of the form is running. */
  isBusy?: boolean;
  /** Buttons beside the save button. */
  actions?: ReactNode;
  /** Result of those actions. */
  outcome?: ReactNode;
  children: ReactNode;
}

/** Fields with a save button and a marker for unsaved changes. */
export function SettingsForm(props: SettingsFormProps) {
  const { t } = useTranslation();
  const { form, action = t('helper.update'), width, isDisabled = false, isBusy = false } = props;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md" {...(width !== undefined && { maw: width })}>
        {props.children}
        <Group>
          <Button type="submit" loading={form.isSaving || isBusy} disabled={!form.isKnown || isDisabled}>
            {action}
          </Button>
          {props.actions}
          {form.isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          {props.outcome}
        </Group>
      </Stack>
    </form>
  );
}
