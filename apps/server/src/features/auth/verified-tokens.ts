import { hash } from 'node:crypto';
import { type KeyParts, type ReadToken, readToken } from './session-tokens.ts';

const mostKept = 200;

/**
 * Tokens whose signature was checked before, by their hashes. A console shows the same one with every call, several a second, and checking costs
 * more than all the rest of a call. Which sessions were ended is no matter of this: whoever asks looks that up each time.
 */
export class VerifiedTokens {
  readonly #tokens = new Map<string, ReadToken>();
  /** Made of what signs them. Another key, and none of them counts. */
  #parts: KeyParts = { apiSecret: '', salt: '' };

  /** The session of a valid token; throws for any other. */
  async sessionOf(parts: KeyParts, token: string, nowMs: number): Promise<string> {
    if (!this.#isSigner(parts)) {
      this.#tokens.clear();
      this.#parts = parts;
    }
    const key = hash('sha256', token, 'base64');
    const known = this.#tokens.get(key);
    if (known && known.expiresAtMs > nowMs) return known.sessionId;
    this.#tokens.delete(key);
    const read = await readToken(parts, token, nowMs);
    // The key may have been replaced meanwhile.
    if (this.#isSigner(parts)) this.#keep(key, read);
    return read.sessionId;
  }

  #isSigner({ apiSecret, salt }: KeyParts): boolean {
    return apiSecret === this.#parts.apiSecret && salt === this.#parts.salt;
  }

  #keep(key: string, read: ReadToken): void {
    this.#tokens.set(key, read);
    if (this.#tokens.size <= mostKept) return;
    const [oldest] = this.#tokens.keys();
    if (oldest !== undefined) this.#tokens.delete(oldest);
  }
}
