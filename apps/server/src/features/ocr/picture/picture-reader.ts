import { aiHosts, ocrDefaults, ocrLimits } from '@weir/contract';
import type { Ai, ChatMessage, ProviderChoice } from '../../../ai/ai.ts';

interface ReadWish {
  readonly provider: ProviderChoice;
  readonly model: string;
  readonly prompt: string;
  /** Answers before it that the model is told of. */
  readonly window: number;
  /** Word limit of the answer; 0 for none. */
  readonly words: number;
}

/** Asks about pictures, one after the other, and remembers what was answered. */
export class PictureReader {
  readonly #ai: Pick<Ai, 'see' | 'describe'>;
  #history: ChatMessage[] = [];

  constructor(ai: Pick<Ai, 'see' | 'describe'>) {
    this.#ai = ai;
  }

  /** Current provider: a host, `built-in`, or empty. */
  async answerer(provider: ProviderChoice): Promise<string> {
    const { by, host } = await this.#ai.describe('see', provider);
    return by === 'built-in' ? aiHosts.builtIn : host;
  }

  async read(image: Uint8Array, wish: ReadWish, signal: AbortSignal): Promise<string> {
    const messages = [...rules(wish.words), ...(wish.window > 0 ? this.#history.slice(-2 * wish.window) : [])];
    const { provider, model, prompt } = wish;
    const answer = await this.#ai.see({ feature: 'ocr', provider, model, messages, prompt, image, signal });
    const text = answer.trim().slice(0, ocrLimits.textCharacters);
    if (text !== '') this.#remember(prompt, text, wish.window);
    return text;
  }

  /** Drops the context of earlier frames when the stream changes. */
  forget(): void {
    this.#history = [];
  }

  #remember(prompt: string, answer: string, window: number): void {
    const asked: ChatMessage[] = [
      { role: 'user', content: prompt },
      { role: 'assistant', content: answer },
    ];
    this.#history = window > 0 ? [...this.#history, ...asked].slice(-2 * window) : [];
  }
}

/** Prompt with its default. */
export function withDefaultPrompt(prompt: string): string {
  return prompt.trim() === '' ? ocrDefaults.aiChatPrompt : prompt;
}

function rules(words: number): ChatMessage[] {
  return words > 0 ? [{ role: 'system', content: `Keep your answer neat, and within ${words} words.` }] : [];
}
