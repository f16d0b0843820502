import { createHmac, timingSafeEqual } from 'node:crypto';
import { type PieceSigns, signParameter, signPattern } from '../hls-access.ts';

/** Pieces of this stretch share a signature: thousands of different ones would make a long playlist. */
const blockMs = 10 * 60_000;
const marginMs = 10 * 60_000;
const mostKnown = 2000;

/**
 * Signatures of pieces of the past. Players keep addresses for a whole window and across a restart of this process, so the key is stored by the
 * control plane. A signature counts as made when its piece was live: whoever lost permission since needs a present viewer beside it.
 */
export class RewindSigns implements PieceSigns {
  readonly #nowMs: () => number;
  readonly #windowMs: (stem: string) => number;
  readonly #known = new Map<string, string>();
  #key = '';

  constructor(nowMs: () => number, windowMs: (stem: string) => number) {
    this.#nowMs = nowMs;
    this.#windowMs = windowMs;
  }

  setKey(key: string): void {
    if (key !== this.#key) this.#known.clear();
    this.#key = key;
  }

  /** Query of a piece. `stem`: its encoded path up to the number. */
  query(stem: string, dateMs: number): string {
    const text = Math.floor((Math.floor(dateMs / blockMs) * blockMs) / 1000).toString(36);
    return `${signParameter}=${text}.${this.#mac(stem, text)}`;
  }

  signedAtMs(path: string, query: string): number | undefined {
    const [, text = '', shown = ''] = signPattern.exec(query) ?? [];
    const [, stem = ''] = /^(.+\.dvr-)\d+\.ts$/s.exec(path) ?? [];
    const ms = parseInt(text, 36) * 1000;
    if (stem === '' || this.#key === '' || !(this.#nowMs() - ms < this.#windowMs(stem) + blockMs + marginMs))
      return undefined;
    return timingSafeEqual(Buffer.from(shown), Buffer.from(this.#mac(stem, text))) ? ms : undefined;
  }

  #mac(stem: string, text: string): string {
    const input = `${text} ${stem}`;
    const known = this.#known.get(input);
    if (known !== undefined) return known;
    const mac = createHmac('sha256', this.#key).update(input).digest('base64url').slice(0, 22);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(input, mac);
    return mac;
  }
}
