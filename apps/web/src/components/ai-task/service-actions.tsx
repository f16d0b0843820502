import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { ActionBar } from '../ui/layout/action-bar.tsx';
import type { AiTaskKind } from './use-ai-task-form.ts';

export interface ServiceState {
  readonly isOn: boolean;
  readonly isLocked: boolean;
  readonly isChanged: boolean;
  readonly busy: 'save' | 'start' | 'stop' | undefined;
  toggle(): void;
  discard(): void;
  readonly reset: {
    readonly isPending: boolean;
    mutate(nothing: undefined, options: { onSettled: () => void }): void;
  };
}

interface StartStopProps {
  kind: AiTaskKind;
  form: Omit<ServiceState, 'isChanged' | 'discard'>;
}

/** Starting uses the values of the form; stopping ignores them. */
export function StartStop({ kind, form: { isOn, busy, isLocked, reset, toggle } }: StartStopProps) {
  const { t } = useTranslation();
  return (
    <Button
      type="button"
      variant={isOn ? 'default' : 'filled'}
      loading={busy === 'start' || busy === 'stop'}
      disabled={isLocked || busy !== undefined || reset.isPending}
      onClick={toggle}
    >
      {isOn ? t(`${kind}.stop`) : t(`${kind}.start`)}
    </Button>
  );
}

interface ServiceActionsProps extends StartStopProps {
  form: ServiceState;
  /** Number of segments a reset deletes. */
  segments: number;
}

/** Start or stop, save, and (while stopped) reset. A change to a running task is saved first of all. */
export function ServiceActions({ kind, form, segments }: ServiceActionsProps) {
  const { t } = useTranslation();
  const { isOn, isChanged, busy } = form;
  const save = (
    <Button
      type="submit"
      variant={isOn && isChanged ? 'filled' : 'default'}
      loading={busy === 'save'}
      disabled={!isChanged}
    >
      {t('helper.update')}
    </Button>
  );
  const run = <StartStop kind={kind} form={form} />;
  return (
    <ActionBar
      primary={isOn ? save : run}
      secondary={
        <>
          {isOn ? run : save}
          {isChanged && (
            <Button variant="subtle" color="gray" disabled={busy !== undefined} onClick={form.discard}>
              {t('helper.discard')}
            </Button>
          )}
        </>
      }
      dirty={isChanged}
      danger={!isOn && <ResetButton kind={kind} form={form} segments={segments} />}
    />
  );
}

function ResetButton({ kind, form: { reset, busy }, segments }: ServiceActionsProps) {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button
        type="button"
        variant="subtle"
        color="red"
        loading={reset.isPending}
        disabled={busy !== undefined}
        onClick={() => setIsAsked(true)}
      >
        {t(`${kind}.reset`)}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t(`${kind}.resetTitle`)}
        text={t(`${kind}.resetText`, { count: segments })}
        action={t(`${kind}.reset`)}
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setIsAsked(false) })}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
