import { Checkbox, Stack, TextInput } from '@mantine/core';
import { aiTaskLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StyleEditor } from '../style/style-editor.tsx';
import type { TranscriptForm } from './use-transcript-form.ts';

/** Text that is part of the video: whether, how it looks, how the video is encoded. */
export function OverlayPart({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  const { draft, problem } = form;
  const field = (name: 'forceStyle' | 'videoCodecParams', label: string, description: string) => (
    <TextInput
      size="md"
      {...{ label, description }}
      autoComplete="off"
      spellCheck={false}
      maxLength={aiTaskLimits.settingCharacters}
      value={draft[name]}
      onChange={(event) => form.edit({ [name]: event.currentTarget.value })}
      error={problem?.tab === 'overlay' && problem.field === name ? t(`transcript.wrong.${name}`) : undefined}
    />
  );
  return (
    <Stack gap="md">
      <Checkbox
        label={t('transcript.ole')}
        description={t('transcript.oleHelp')}
        checked={draft.overlayEnabled}
        onChange={(event) => form.edit({ overlayEnabled: event.currentTarget.checked })}
      />
      <StyleEditor text={draft.forceStyle} onChange={(forceStyle) => form.edit({ forceStyle })} />
      <Stack gap="md" maw={720}>
        {field('forceStyle', t('transcript.fstyle'), t('transcript.fstyle2'))}
        {field('videoCodecParams', t('transcript.trans0'), t('transcript.trans1'))}
      </Stack>
    </Stack>
  );
}
