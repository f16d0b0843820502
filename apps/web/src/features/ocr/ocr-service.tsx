import { useTranslation } from 'react-i18next';
import { ServiceForm } from '../../../components/ai-task/service-form.tsx';
import { TaskProvider } from '../../../components/ai-task/task-provider.tsx';
import { CallbackPart } from './callback-part.tsx';
import { ChatPart } from './chat-part.tsx';
import type { ServiceTab } from './ocr-draft.ts';
import { StreamPart } from './stream-part.tsx';
import type { OcrForm } from './use-ocr-form.ts';

/** Who reads, what is asked, which stream, and who is told. */
export function OcrService({ form, segments }: { form: OcrForm; segments: number }) {
  const { t } = useTranslation();
  const provider = <TaskProvider form={form} needs={['see']} />;
  return (
    <ServiceForm<ServiceTab>
      {...{ kind: 'ocr', form, segments }}
      parts={[
        { tab: 'provider', word: t('ocr.tab.provider'), content: provider },
        { tab: 'chat', word: t('ocr.tab.chat'), content: <ChatPart form={form} /> },
        { tab: 'stream', word: t('ocr.tab.stream'), content: <StreamPart form={form} /> },
        { tab: 'callback', word: t('ocr.tab.callback'), content: <CallbackPart /> },
      ]}
    />
  );
}
