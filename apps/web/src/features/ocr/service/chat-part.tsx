import { ocrLimits } from '@weir/contract';
import { ChatFields } from '../../../components/ai/chat-fields.tsx';
import type { OcrForm } from './use-ocr-form.ts';

/** What a model is asked about each picture. */
export function ChatPart({ form: { draft, problem, edit } }: { form: OcrForm }) {
  const { chat } = draft;
  return (
    <ChatFields
      kind="ocr"
      value={chat}
      onEdit={(change) => edit({ chat: { ...chat, ...change } })}
      most={ocrLimits}
      wrong={problem?.tab === 'chat' ? problem.field : undefined}
      provider={draft}
    />
  );
}
