import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';

interface ServiceForm {
  readonly isOn: boolean;
  readonly isLocked: boolean;
  readonly isChanged: boolean;
  readonly busy: 'save' | 'start' | 'stop' | undefined;
  toggle(): void;
  readonly reset: {
    readonly isPending: boolean;
    mutate(nothing: undefined, options: { onSettled: () => void }): void;
  };
}

interface StartStopProps {
  form: Omit<ServiceForm, 'isChanged'>;
  start: string;
  stop: string;
}

/** Starts with what the form holds; stops whatever the form holds. */
export function StartStop({ form: { isOn, busy, isLocked, reset, toggle }, start, stop }: StartStopProps) {
  return (
    <Button
      type="button"
      variant={isOn ? 'default' : 'filled'}
      loading={busy === 'start' || busy === 'stop'}
      disabled={isLocked || busy !== undefined || reset.isPending}
      onClick={toggle}
    >
      {isOn ? stop : start}
    </Button>
  );
}

interface ServiceActionsProps extends StartStopProps {
  form: ServiceForm;
  reset: string;
  resetTitle: string;
  /** What a reset removes. */
  resetText: string;
}

/** What can be done with the settings: start or stop, save, and reset while stopped. */
export function ServiceActions({ form, start, stop, ...words }: ServiceActionsProps) {
  const { t } = useTranslation();
  const { isOn, isChanged, busy } = form;
  return (
    <>
      <StartStop {...{ form, start, stop }} />
      <Button
        type="submit"
        variant={isOn && isChanged ? 'filled' : 'default'}
        loading={busy === 'save'}
        disabled={!isChanged}
      >
        {t('helper.update')}
      </Button>
      {!isOn && <ResetButton form={form} {...words} />}
      {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
    </>
  );
}

type ResetButtonProps = Omit<ServiceActionsProps, 'start' | 'stop'>;

function ResetButton({ form: { reset, busy }, reset: action, resetTitle, resetText }: ResetButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button
        type="button"
        variant="default"
        loading={reset.isPending}
        disabled={busy !== undefined}
        onClick={() => setIsAsked(true)}
      >
        {action}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={resetTitle}
        text={resetText}
        action={action}
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setIsAsked(false) })}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
