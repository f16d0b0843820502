import { scrub } from '@weir/plane';

const mostLines = 50;
const longestLine = 500;

/**
 * The last lines a child said, without secrets. A child that floods costs no more than these: what is longer than a
 * line is cut, what is older is forgotten.
 */
export class LineRing {
  readonly #secrets: readonly string[];
  readonly #lines: string[] = [];
  #open = '';

  /** `secrets`: texts the child was given and may repeat, as parts of addresses do. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  push(text: string): void {
    let from = 0;
    for (let end = nextEnd(text, from); end >= 0; end = nextEnd(text, from)) {
      this.#extend(text.slice(from, end));
      this.#close();
      from = end + 1;
    }
    this.#extend(text.slice(from));
  }

  /** Oldest first, with what has no end of line yet. */
  lines(): string[] {
    const open = this.#open.trim();
    return (open === '' ? this.#lines : [...this.#lines, open]).map((line) => this.#hide(line));
  }

  get last(): string {
    return this.lines().at(-1) ?? '';
  }

  #extend(text: string): void {
    if (this.#open.length < longestLine) this.#open += text.slice(0, longestLine - this.#open.length);
  }

  #close(): void {
    const line = this.#open.trim();
    this.#open = '';
    if (line === '') return;
    this.#lines.push(line);
    if (this.#lines.length > mostLines) this.#lines.shift();
  }

  #hide(line: string): string {
    let text = line;
    for (const secret of this.#secrets) text = text.replaceAll(secret, '[hidden]');
    return scrub(text);
  }
}

/** ffmpeg ends its progress lines with a carriage return. */
function nextEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.indexOf('\r', from);
  return feed < 0 || carriage < 0 ? Math.max(feed, carriage) : Math.min(feed, carriage);
}
