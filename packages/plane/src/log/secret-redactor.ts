const mark = '[hidden]';
/** Shorter parts of a secret are ordinary words. */
const leastRun = 8;

/**
 * Removes known secrets from texts, in any letter case, also where only half of one is there, as in a mistyped name.
 * The whole word is removed then, because its rest would be the other half.
 */
export class SecretRedactor {
  #secrets: readonly string[] = [];
  readonly #others = new Map<string, readonly string[]>();
  #exact: RegExp | undefined;
  #near: RegExp | undefined;
  #isSet = false;

  constructor(texts?: readonly string[]) {
    if (texts) this.set(texts);
  }

  /** True once any secret is known. */
  get isSet(): boolean {
    return this.#isSet;
  }

  set(texts: readonly string[]): void {
    const secrets = texts.filter((text) => text !== '');
    const runs = new Set(secrets.flatMap(runsOf));
    this.#isSet = true;
    this.#secrets = secrets;
    this.#compile();
    this.#near = anyOf([...runs], '[\\p{L}\\p{N}]*');
  }

  /** Further secrets by owner, replacing those that it had. Matched only as they are, because people do not type them. */
  setExact(owner: string, texts: readonly string[]): void {
    this.#others.set(
      owner,
      texts.filter((text) => text.length >= leastRun),
    );
    this.#compile();
  }

  #compile(): void {
    this.#exact = anyOf([...this.#secrets, ...[...this.#others.values()].flat()]);
  }

  hide(text: string): string {
    if (!this.#exact) return text;
    const without = text.replace(this.#exact, mark);
    return this.#near ? without.replace(this.#near, mark) : without;
  }

  /** The same for a line of JSON, in its strings: a number that looks like a secret is a number. */
  hideInJson(line: string): string {
    if (!this.#exact || (line.search(this.#exact) < 0 && (!this.#near || line.search(this.#near) < 0))) return line;
    return line.replace(/"(?:[^"\\]|\\.)*"/g, (string) => this.hide(string));
  }
}

/** Replacing one letter leaves half of the secret in one piece. */
function runsOf(secret: string): string[] {
  const length = Math.max(leastRun, Math.floor(secret.length / 2));
  return Array.from({ length: Math.max(0, secret.length - length + 1) }, (_, at) => secret.slice(at, at + length));
}

function anyOf(texts: readonly string[], around = ''): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const words = texts.map((text) =>
    text.replace(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  );
  return new RegExp(`${around}(?:${words.join('|')})${around}`, 'giu');
}
