import { type Room, type RoomChange, roomDefaults, roomLimits } from '@weir/contract';
import type { ChatDraft } from '../../../components/ai/chat-fields.tsx';
import {
  hasOwnProvider,
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../../components/ai/provider/provider-problem.ts';
import { isWholeNumber } from '../../../components/settings-form/number-field.tsx';

export type AssistantTab = 'basic' | 'provider' | 'asr' | 'chat' | 'post' | 'tts' | 'assistant';

export interface AssistantDraft extends ProviderFacts {
  readonly name: string;
  readonly messages: string;
  readonly wait: string;
  readonly hears: boolean;
  /** Guests correct the recognized text before it is sent. */
  readonly edits: boolean;
  readonly language: string;
  readonly asrPrompt: 'user-only' | 'user-ai';
  readonly chat: ChatDraft;
  readonly post: ChatDraft;
  readonly speaks: boolean;
  readonly asrModel: string;
  readonly ttsModel: string;
  readonly voice: string;
}

export type AssistantProblem =
  | { readonly tab: 'basic'; readonly field: 'messages' | 'wait' }
  | { readonly tab: 'provider'; readonly provider: ProviderProblem }
  | { readonly tab: 'chat' | 'post'; readonly field: keyof ChatDraft };

export function toProviderFacts({ aiSecretKey, aiBaseURL, aiOrganization }: Room): ProviderFacts {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}

export function toDraft(room: Room): AssistantDraft {
  return {
    ...toProviderFacts(room),
    name: room.aiName,
    messages: String(room.aiMaxMessagesPerDay),
    wait: String(room.aiMaxWaitSeconds),
    hears: room.aiAsrEnabled,
    edits: room.aiAsrEdit,
    language: room.aiAsrLanguage,
    // The server treats any other value as this one.
    asrPrompt: room.aiAsrPrompt === 'user-only' ? 'user-only' : 'user-ai',
    chat: {
      isOn: room.aiChatEnabled,
      model: room.aiChatModel,
      prompt: room.aiChatPrompt,
      window: String(room.aiChatMaxWindow),
      words: String(room.aiChatMaxWords),
    },
    post: {
      isOn: room.aiPostEnabled,
      model: room.aiPostModel,
      prompt: room.aiPostPrompt,
      window: String(room.aiPostMaxWindow),
      words: String(room.aiPostMaxWords),
    },
    speaks: room.aiTtsEnabled,
    asrModel: room.aiAsrModel,
    ttsModel: room.aiTtsModel,
    voice: room.aiTtsVoice,
  };
}

/** The update must carry the fields of all tabs. */
export function toRoomChange(draft: AssistantDraft): Omit<RoomChange, 'uuid'> {
  const { secretKey, baseURL, organization, chat, post, messages, wait } = draft;
  return {
    assistant: true,
    aiName: draft.name.trim(),
    aiProvider: roomDefaults.aiProvider,
    aiMaxMessagesPerDay: Number(messages),
    aiMaxWaitSeconds: Number(wait),
    aiSecretKey: secretKey,
    aiBaseURL: baseURL,
    aiOrganization: organization,
    aiAsrEnabled: draft.hears,
    aiAsrEdit: draft.edits,
    aiAsrLanguage: draft.language,
    aiAsrPrompt: draft.asrPrompt,
    aiChatEnabled: chat.isOn,
    aiChatModel: chat.model.trim(),
    aiChatPrompt: chat.prompt.trim(),
    aiChatMaxWindow: Number(chat.window),
    aiChatMaxWords: Number(chat.words),
    aiPostEnabled: post.isOn,
    aiPostModel: post.model.trim(),
    aiPostPrompt: post.prompt.trim(),
    aiPostMaxWindow: Number(post.window),
    aiPostMaxWords: Number(post.words),
    aiTtsEnabled: draft.speaks,
    aiAsrModel: draft.asrModel,
    aiTtsModel: draft.ttsModel,
    aiTtsVoice: draft.voice,
  };
}

export function findAssistantProblem(draft: AssistantDraft, saved: ProviderFacts): AssistantProblem | undefined {
  const { least, most } = roomLimits.waitSeconds;
  if (!isWholeNumber(draft.messages, roomLimits.messagesPerDay)) return { tab: 'basic', field: 'messages' };
  if (!isWholeNumber(draft.wait, most, least)) return { tab: 'basic', field: 'wait' };
  const provider = hasOwnProvider(draft) ? providerProblem(draft, saved) : undefined;
  if (provider) return { tab: 'provider', provider };
  for (const tab of ['chat', 'post'] as const) {
    const field = wrongField(draft[tab], tab === 'post');
    if (field) return { tab, field };
  }
  return undefined;
}

/** Without a prompt the second model would not know what to do with the first one's answer. */
function wrongField(chat: ChatDraft, needsPrompt: boolean): keyof ChatDraft | undefined {
  if (needsPrompt && chat.isOn && chat.prompt.trim() === '') return 'prompt';
  return (['window', 'words'] as const).find((name) => !isWholeNumber(chat[name], roomLimits[name]));
}
