import { useQuery } from '@tanstack/react-query';
import { aiDefaultModels, roomLimits } from '@weir/contract';
import { modelsQuery } from '../../../components/ai/ai-queries.ts';
import { ChatFields } from '../../../components/ai/chat-fields.tsx';
import { hasOwnProvider } from '../../../components/ai/provider/provider-problem.ts';
import type { AssistantForm } from './use-assistant-form.ts';

interface ChatPartProps {
  form: AssistantForm;
  tab: 'chat' | 'post';
}

/** How the model that answers is asked, or the one that its answers go through. */
export function ChatPart({ form: { value, problem, edit }, tab }: ChatPartProps) {
  const { data: models } = useQuery(modelsQuery);
  const ofRoom = tab === 'post' ? value.chat.model.trim() : '';
  // What the owner set for the default provider means nothing to another one.
  const ofProvider = hasOwnProvider(value) ? '' : models?.chat;
  return (
    <ChatFields
      kind={`rooms.${tab}`}
      value={value[tab]}
      onEdit={(change) => edit({ [tab]: { ...value[tab], ...change } })}
      most={roomLimits}
      wrong={problem?.tab === tab ? problem.field : undefined}
      provider={value}
      defaultModel={ofRoom || ofProvider || aiDefaultModels.roomChat}
    />
  );
}
