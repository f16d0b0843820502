import { useTranslation } from 'react-i18next';
import { ServiceForm } from '../../../components/ai-task/service-form.tsx';
import { TaskProvider } from '../../../components/ai-task/task-provider.tsx';
import { AsrPart } from './asr-part.tsx';
import { OverlayPart } from './overlay-part.tsx';
import type { ServiceTab } from './transcript-draft.ts';
import type { TranscriptForm } from './use-transcript-form.ts';
import { WebVttPart } from './webvtt-part.tsx';

/** Who recognises, what, and how it looks. */
export function TranscriptService({ form, segments }: { form: TranscriptForm; segments: number }) {
  const { t } = useTranslation();
  const provider = <TaskProvider form={form} needs={['transcribe']} language={form.draft.lang} isTested />;
  return (
    <ServiceForm<ServiceTab>
      {...{ kind: 'transcript', form, segments }}
      parts={[
        { tab: 'provider', word: t('transcript.tab.provider'), content: provider },
        { tab: 'asr', word: t('transcript.tab.asr'), content: <AsrPart form={form} /> },
        { tab: 'overlay', word: t('transcript.tab.overlay'), content: <OverlayPart form={form} /> },
        { tab: 'webvtt', word: t('transcript.tab.webvtt'), content: <WebVttPart form={form} /> },
      ]}
    />
  );
}
