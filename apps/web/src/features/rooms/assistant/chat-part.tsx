import { aiDefaultModels, roomLimits } from '@weir/contract';
import { ChatFields } from '../../../components/ai/chat-fields.tsx';
import type { AssistantForm } from './use-assistant-form.ts';

interface ChatPartProps {
  form: AssistantForm;
  tab: 'chat' | 'post';
}

/** How the model that answers is asked, or the one that its answers go through. */
export function ChatPart({ form: { value, problem, edit }, tab }: ChatPartProps) {
  const ofRoom = tab === 'post' ? value.chat.model.trim() : '';
  return (
    <ChatFields
      kind={`rooms.${tab}`}
      value={value[tab]}
      onEdit={(change) => edit({ [tab]: { ...value[tab], ...change } })}
      most={roomLimits}
      wrong={problem?.tab === tab ? problem.field : undefined}
      provider={value}
      defaultModel={ofRoom || aiDefaultModels.roomChat}
    />
  );
}
