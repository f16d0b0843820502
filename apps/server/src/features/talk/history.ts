import type { ChatMessage } from '../../ai/ai.ts';

/** Length limit of a question or answer repeated to the model. */
const mostCharacters = 4000;

/** Earlier questions and answers that the model receives as context. */
export class History {
  #messages: ChatMessage[];

  constructor(messages: readonly ChatMessage[] = []) {
    this.#messages = [...messages];
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get lastAnswer(): string {
    return this.#messages.at(-1)?.content ?? '';
  }

  /** `window`: pairs of a question and its answer. */
  before(window: number): ChatMessage[] {
    return window === 0 ? [] : this.#messages.slice(-2 * window);
  }

  add(question: string, answer: string, window: number): void {
    if (question === '' || answer === '') return;
    this.#messages.push(
      { role: 'user', content: question.slice(0, mostCharacters) },
      { role: 'assistant', content: answer.slice(0, mostCharacters) },
    );
    this.#messages = this.#messages.slice(-2 * Math.max(1, window));
  }
}
