/** Dictation of one user: several texts make one question, in spoken order. */
export class Dictation {
  #texts: string[];

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Returns the question when there are enough texts for one; with 0 each text is, with all that waited. */
  add(text: string, every: number): string | undefined {
    if (text !== '') this.#texts.push(text);
    return this.#texts.length >= every ? this.flush() : undefined;
  }

  /** Returns the pending text as a question. */
  flush(): string | undefined {
    const question = this.#texts.join(' ');
    this.#texts = [];
    return question === '' ? undefined : question;
  }
}
