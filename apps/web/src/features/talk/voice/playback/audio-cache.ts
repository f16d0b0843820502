import type { AudioSource } from '../voice-types.ts';

/** Half an hour of speech as it is sent. */
const mostBytes = 16 * 1024 * 1024;
const mostKnown = 500;

/** Audio of messages that somebody may want to hear again: here once it was loaded, with the server until then. */
export class AudioCache {
  readonly #source: AudioSource;
  readonly #bytes = new Map<string, ArrayBuffer>();
  readonly #remote = new Set<string>();
  #total = 0;

  constructor(source: AudioSource) {
    this.#source = source;
  }

  /** The server has it for this page. */
  addRemote(asid: string): void {
    if (!this.#bytes.has(asid)) this.#remote.add(asid);
    for (const oldest of this.#remote) {
      if (this.#remote.size <= mostKnown) return;
      this.#release(oldest);
    }
  }

  /** A copy: who decodes it takes it away. */
  async get(asid: string, signal: AbortSignal): Promise<ArrayBuffer> {
    const kept = this.#bytes.get(asid);
    if (kept) return kept.slice(0);
    const bytes = await this.#source.load(asid, signal);
    if (!this.#bytes.has(asid)) this.#store(asid, bytes);
    return bytes.slice(0);
  }

  close(): void {
    for (const asid of this.#remote) this.#release(asid);
    this.#bytes.clear();
    this.#total = 0;
  }

  #store(asid: string, bytes: ArrayBuffer): void {
    this.#bytes.set(asid, bytes);
    this.#total += bytes.byteLength;
    this.#release(asid);
    for (const [oldest, { byteLength }] of this.#bytes) {
      if (this.#total <= mostBytes || oldest === asid) return;
      this.#bytes.delete(oldest);
      this.#total -= byteLength;
    }
  }

  #release(asid: string): void {
    this.#remote.delete(asid);
    this.#source.drop(asid);
  }
}
