import { hash } from 'node:crypto';
import { type KeyParts, type ReadToken, readToken } from './session-tokens.ts';

const mostKept = 200;

/**
 * Caches verified tokens by hash. A console sends the same token several times a second, and verification costs more than the rest of a
 * call. Ended sessions are checked separately on each call.
 */
export class VerifiedTokens {
  readonly #tokens = new Map<string, ReadToken>();
  /** Derived from the signing key, so that a new key invalidates all entries. */
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
