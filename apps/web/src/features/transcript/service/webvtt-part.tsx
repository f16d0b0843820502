import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TranscriptForm } from './use-transcript-form.ts';

/** Text beside the video, which viewers switch on and off. */
export function WebVttPart({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t('transcript.vtt2')}
      description={t('transcript.vttHelp')}
      checked={form.draft.webvttEnabled}
      onChange={(event) => form.edit({ webvttEnabled: event.currentTarget.checked })}
    />
  );
}
