import type { ChatMessage } from '../ai.ts';
import type { Usage } from './answers.ts';

/**
 * Tokens of a chat as reported by the provider, or an estimate: four characters a token, one and a half for Chinese.
 */
export function countTokens(usage: Usage, messages: readonly ChatMessage[], answer: string): number {
  if (usage) return usage.prompt_tokens + usage.completion_tokens;
  const text = messages.map(({ content }) => content).join('') + answer;
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0;
  return Math.ceil(wide / 1.5 + (text.length - wide) / 4);
}
