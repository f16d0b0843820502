import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import type { TranscriptForm } from './use-transcript-form.ts';

/** Starts with what the form holds; stops whatever the form holds. */
export function StartStop({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  const { isOn, busy, isLocked } = form;
  return (
    <Button
      type="button"
      variant={isOn ? 'default' : 'filled'}
      loading={busy === 'start' || busy === 'stop'}
      disabled={isLocked || busy !== undefined || form.reset.isPending}
      onClick={form.toggle}
    >
      {isOn ? t('transcript.stop') : t('transcript.start')}
    </Button>
  );
}

/** What can be done with the settings. `segments`: how many a reset removes. */
export function FormActions({ form, segments }: { form: TranscriptForm; segments: number }) {
  const { t } = useTranslation();
  const { isOn, isChanged, busy } = form;
  return (
    <>
      <StartStop form={form} />
      <Button
        type="submit"
        variant={isOn && isChanged ? 'filled' : 'default'}
        loading={busy === 'save'}
        disabled={!isChanged}
      >
        {t('helper.update')}
      </Button>
      {!isOn && <ResetButton form={form} segments={segments} />}
      {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
    </>
  );
}

function ResetButton({ form: { reset, busy }, segments }: { form: TranscriptForm; segments: number }) {
  const { t } = useTranslation();
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
        {t('transcript.reset')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t('transcript.resetTitle')}
        text={t('transcript.resetText', { count: segments })}
        action={t('transcript.reset')}
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setIsAsked(false) })}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
