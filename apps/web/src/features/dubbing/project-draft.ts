import { DubbingAssistant, type DubbingChange, type DubbingProject, dubbingLimits } from '@weir/contract';
import {
  hasOwnProvider,
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';

export const dubbingParts = ['asr', 'trans', 'rephrase', 'tts'] as const;
export type DubbingPart = (typeof dubbingParts)[number];
export type ProjectTab = 'basic' | DubbingPart;

export interface ProjectDraft extends Record<DubbingPart, DubbingAssistant> {
  readonly title: string;
  readonly background: DubbingProject['background'];
  /** Lines of `original = translation`. */
  readonly glossary: string;
}

export type ProjectProblem =
  | { readonly tab: 'basic'; readonly field: 'title' }
  | { readonly tab: 'basic'; readonly field: 'glossary'; readonly line: number }
  | { readonly tab: DubbingPart; readonly provider: ProviderProblem };

const blank = DubbingAssistant.parse({});

export function toDraft(project: DubbingProject, prompts: { trans: string; rephrase: string }): ProjectDraft {
  const { title, background, glossary } = project;
  const [asr, trans, rephrase, tts] = dubbingParts.map((part) => project[part] ?? blank);
  return {
    title,
    background,
    asr: asr ?? blank,
    tts: tts ?? blank,
    trans: { ...(trans ?? blank), aiChatPrompt: trans?.aiChatPrompt || prompts.trans },
    rephrase: { ...(rephrase ?? blank), aiChatPrompt: rephrase?.aiChatPrompt || prompts.rephrase },
    glossary: glossary.map(({ source, target }) => `${source} = ${target}`).join('\n'),
  };
}

export function toProviderFacts({ aiSecretKey, aiBaseURL, aiOrganization }: DubbingAssistant): ProviderFacts {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}

/** Maps changed provider fields to those of the assistant. */
export function toAssistantChange({
  secretKey,
  baseURL,
  organization,
}: Partial<ProviderFacts>): Partial<DubbingAssistant> {
  return {
    ...(secretKey !== undefined && { aiSecretKey: secretKey }),
    ...(baseURL !== undefined && { aiBaseURL: baseURL }),
    ...(organization !== undefined && { aiOrganization: organization }),
  };
}

/** The update must carry the settings of all steps. */
export function toDubbingChange(draft: ProjectDraft): DubbingChange {
  const { title, background, glossary } = draft;
  const sent = (part: DubbingPart) => ({ ...draft[part], aiProvider: 'openai', aiAsrPrompt: 'user-only' });
  return {
    title: title.trim(),
    background,
    glossary: parseGlossary(glossary).map(({ term }) => term),
    asr: sent('asr'),
    trans: sent('trans'),
    rephrase: sent('rephrase'),
    tts: sent('tts'),
  };
}

export function findProjectProblem(draft: ProjectDraft, saved: DubbingProject): ProjectProblem | undefined {
  if (draft.title.trim() === '') return { tab: 'basic', field: 'title' };
  const lines = parseGlossary(draft.glossary);
  const wrong = lines.find(({ term }, place) => !isTerm(term) || place >= dubbingLimits.glossaryLines);
  if (wrong) return { tab: 'basic', field: 'glossary', line: wrong.line };
  for (const tab of dubbingParts) {
    const facts = toProviderFacts(draft[tab]);
    const provider = hasOwnProvider(facts) ? providerProblem(facts, toProviderFacts(saved[tab] ?? blank)) : undefined;
    if (provider) return { tab, provider };
  }
  return undefined;
}

/** Splits each line at its first equals sign; skips empty lines. */
function parseGlossary(glossary: string) {
  return glossary
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => {
      const [source = '', ...rest] = text.split('=');
      return { line, term: { source: source.trim(), target: rest.join('=').trim() } };
    });
}

function isTerm(term: { source: string; target: string }): boolean {
  return [term.source, term.target].every((word) => word !== '' && word.length <= dubbingLimits.glossaryCharacters);
}
