/** Lines of a program's output, none longer than it need be. */
export class OutputLines {
  readonly #onLine: (line: string) => void;
  #open = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#open + chunk.toString('utf8')).split(/[\r\n]+/);
    this.#open = (lines.pop() ?? '').slice(0, 4096);
    for (const line of lines) this.#onLine(line);
  }
}
