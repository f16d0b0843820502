import { builtInBaseUrl, type OcrConfig, ocrDefaults, ocrLimits } from '@weir/contract';
import type { ChatDraft } from '../../components/ai/chat-fields.tsx';
import {
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';

export type OcrPart = 'provider' | 'chat' | 'stream' | 'callback';

export interface OcrDraft extends ProviderFacts {
  readonly chat: ChatDraft;
  readonly stream: string;
  readonly interval: string;
  readonly skipUnchanged: boolean;
}

export type OcrProblem =
  | { readonly part: 'provider'; readonly provider: ProviderProblem }
  | { readonly part: 'chat'; readonly field: 'window' | 'words' }
  | { readonly part: 'stream' };

function savedProvider(saved: OcrConfig): ProviderFacts {
  return { secretKey: saved.aiSecretKey, baseURL: saved.aiBaseURL, organization: saved.aiOrganization };
}

/** Fills the form from the saved settings, or with defaults before the first save. */
export function toDraft(saved: OcrConfig, defaultPrompt: string): OcrDraft {
  const isUnsaved = saved.aiProvider === '';
  const { aiChatMaxWindow, aiChatMaxWords } = isUnsaved ? ocrDefaults : saved;
  return {
    ...savedProvider(saved),
    chat: {
      isOn: saved.aiChatEnabled,
      model: saved.aiChatModel || ocrDefaults.aiChatModel,
      prompt: saved.aiChatPrompt || defaultPrompt,
      window: String(aiChatMaxWindow),
      words: String(aiChatMaxWords),
    },
    stream: saved.stream,
    interval: String(saved.intervalSeconds),
    skipUnchanged: saved.skipUnchanged,
  };
}

export function toOcrConfig(draft: OcrDraft, all: boolean): OcrConfig {
  const { secretKey, baseURL, organization, chat, skipUnchanged, interval } = draft;
  return {
    all,
    aiProvider: ocrDefaults.aiProvider,
    aiChatEnabled: chat.isOn,
    skipUnchanged,
    aiSecretKey: secretKey,
    aiBaseURL: baseURL,
    aiOrganization: organization,
    aiChatModel: chat.model.trim(),
    aiChatPrompt: chat.prompt.trim(),
    aiChatMaxWindow: Number(chat.window),
    aiChatMaxWords: Number(chat.words),
    stream: draft.stream.trim(),
    intervalSeconds: Number(interval),
  };
}

/** A provider for OCR alone must be complete. */
function isOwn({ baseURL, secretKey }: ProviderFacts): boolean {
  return baseURL !== builtInBaseUrl && (baseURL !== '' || secretKey !== '');
}

export function findOcrProblem(draft: OcrDraft, saved: OcrConfig): OcrProblem | undefined {
  const provider = isOwn(draft) ? providerProblem(draft, savedProvider(saved)) : undefined;
  if (provider) return { part: 'provider', provider };
  const field = (['window', 'words'] as const).find((name) => !isWholeNumber(draft.chat[name], ocrLimits[name]));
  if (field) return { part: 'chat', field };
  return isWholeNumber(draft.interval, ocrLimits.intervalSeconds) ? undefined : { part: 'stream' };
}
