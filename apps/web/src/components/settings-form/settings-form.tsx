import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionBar } from '../ui/layout/action-bar.tsx';
import type { SettingsFormState } from './use-settings-form.ts';

interface SettingsFormProps {
  form: Pick<SettingsFormState<object, unknown>, 'isKnown' | 'isChanged' | 'isSaving' | 'submit' | 'discard'>;
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

/** Fields with an action bar that marks unsaved changes. */
export function SettingsForm(props: SettingsFormProps) {
  const { t } = useTranslation();
  const { form, action = t('helper.update'), width, isDisabled = false, isBusy = false } = props;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md" {...(width !== undefined && { maw: width })}>
        {props.children}
        <ActionBar
          primary={
            <Button
              type="submit"
              // A page of several forms has one filled button: that of the form with changes.
              variant={form.isChanged ? 'filled' : 'default'}
              loading={form.isSaving || isBusy}
              disabled={!form.isKnown || isDisabled}
            >
              {action}
            </Button>
          }
          secondary={
            <>
              {props.actions}
              {form.isChanged && (
                <Button variant="subtle" color="gray" disabled={form.isSaving} onClick={form.discard}>
                  {t('helper.discard')}
                </Button>
              )}
            </>
          }
          state={props.outcome}
          dirty={form.isChanged}
        />
      </Stack>
    </form>
  );
}
