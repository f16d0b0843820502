const mark = /[,.?!，。？！]/;
const isAscii = /^[\0-\x7f]*$/;
/** Number that may continue: 1.3, 1,300. */
const openNumber = /\d[.,]\d*$/;

/** Lengths in words, or in characters for scripts without spaces. A short first piece makes the voice start early. */
const bounds = {
  words: { first: { most: 30, least: 3 }, later: { most: 50, least: 5 } },
  characters: { first: { most: 50, least: 3 }, later: { most: 100, least: 5 } },
} as const;

/** Cuts an answer into pieces that can be spoken while the rest is still being written. */
export class PieceCutter {
  #text = '';
  #isFirst = true;

  push(delta: string): string[] {
    const pieces: string[] = [];
    for (const sign of delta.replace(/[\r\n]+/g, ' ')) {
      this.#text += sign;
      if (this.#isDue(sign)) pieces.push(...this.end());
    }
    return pieces;
  }

  /** Returns the rest. */
  end(): string[] {
    const piece = this.#text.replace(/\s+/g, ' ').trim();
    this.#text = '';
    if (piece === '') return [];
    this.#isFirst = false;
    return [piece];
  }

  #isDue(sign: string): boolean {
    const isNumber = openNumber.test(this.#text);
    const kind = isAscii.test(this.#text) ? 'words' : 'characters';
    const { most, least } = bounds[kind][this.#isFirst && !isNumber ? 'first' : 'later'];
    const size = kind === 'words' ? this.#text.split(' ').length - 1 : this.#text.length;
    if (size >= most) return true;
    return size >= least && mark.test(sign) && !isNumber;
  }
}
