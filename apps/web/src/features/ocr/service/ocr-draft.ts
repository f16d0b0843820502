import { builtInBaseUrl, type OcrConfig, ocrDefaults, ocrLimits } from '@weir/contract';
import { type ProviderFacts, type ProviderProblem, providerProblem } from '../../../components/ai/provider-problem.ts';

export type ServiceTab = 'provider' | 'chat' | 'stream' | 'callback';

/** The form as it is typed. */
export interface OcrDraft extends ProviderFacts {
  readonly aiChatEnabled: boolean;
  readonly aiChatModel: string;
  readonly aiChatPrompt: string;
  readonly window: string;
  readonly words: string;
  readonly stream: string;
  readonly interval: string;
  readonly skipUnchanged: boolean;
}

type NumberField = 'window' | 'words' | 'interval';

/** What is wrong, and the tab and field it shows at. */
export type DraftProblem =
  | { readonly tab: 'provider'; readonly provider: ProviderProblem }
  | { readonly tab: 'chat' | 'stream'; readonly field: NumberField };

export const mostOf: Record<NumberField, number> = {
  window: ocrLimits.window,
  words: ocrLimits.words,
  interval: ocrLimits.intervalSeconds,
};

function savedProvider(saved: OcrConfig): ProviderFacts {
  return { secretKey: saved.aiSecretKey, baseURL: saved.aiBaseURL, organization: saved.aiOrganization };
}

/** What the form shows of what was saved. Before anything was, it offers the defaults. */
export function draftOf(saved: OcrConfig, defaultPrompt: string): OcrDraft {
  const isUnsaved = saved.aiProvider === '';
  const { aiChatMaxWindow, aiChatMaxWords } = isUnsaved ? ocrDefaults : saved;
  return {
    ...savedProvider(saved),
    aiChatEnabled: saved.aiChatEnabled,
    aiChatModel: saved.aiChatModel || ocrDefaults.aiChatModel,
    aiChatPrompt: saved.aiChatPrompt || defaultPrompt,
    window: String(aiChatMaxWindow),
    words: String(aiChatMaxWords),
    stream: saved.stream,
    interval: String(saved.intervalSeconds),
    skipUnchanged: saved.skipUnchanged,
  };
}

export function configOf(draft: OcrDraft, all: boolean): OcrConfig {
  const { secretKey, baseURL, organization, aiChatEnabled, skipUnchanged, window, words, interval } = draft;
  return {
    ...{ all, aiProvider: ocrDefaults.aiProvider, aiChatEnabled, skipUnchanged },
    ...{ aiSecretKey: secretKey, aiBaseURL: baseURL, aiOrganization: organization },
    aiChatModel: draft.aiChatModel.trim(),
    aiChatPrompt: draft.aiChatPrompt.trim(),
    aiChatMaxWindow: Number(window),
    aiChatMaxWords: Number(words),
    stream: draft.stream.trim(),
    intervalSeconds: Number(interval),
  };
}

/** A provider for OCR alone, which has to be complete. */
function isOwn({ baseURL, secretKey }: ProviderFacts): boolean {
  return baseURL !== builtInBaseUrl && (baseURL !== '' || secretKey !== '');
}

export function draftProblem(draft: OcrDraft, saved: OcrConfig): DraftProblem | undefined {
  const provider = isOwn(draft) ? providerProblem(draft, savedProvider(saved)) : undefined;
  if (provider) return { tab: 'provider', provider };
  const isWrong = (field: NumberField) =>
    !/^\d{1,5}$/.test(draft[field].trim()) || Number(draft[field]) > mostOf[field];
  if (isWrong('window')) return { tab: 'chat', field: 'window' };
  if (isWrong('words')) return { tab: 'chat', field: 'words' };
  return isWrong('interval') ? { tab: 'stream', field: 'interval' } : undefined;
}
