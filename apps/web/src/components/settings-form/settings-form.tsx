import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import type { SettingsFormState } from './use-settings-form.ts';

interface SettingsFormProps {
  form: Pick<SettingsFormState<object, unknown>, 'isKnown' | 'isChanged' | 'isSaving' | 'submit'>;
  /** What the button says, unless it is just an update. */
  action?: string;
  width?: number;
  isDisabled?: boolean;
  /** Something else of the form goes on. */
  isBusy?: boolean;
  /** Other buttons, beside the one that saves. */
  actions?: ReactNode;
  /** What came of them. */
  outcome?: ReactNode;
  children: ReactNode;
}

/** Fields, and below them the button that saves and a mark while there is something to save. */
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
