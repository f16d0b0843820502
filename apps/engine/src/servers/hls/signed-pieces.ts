import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Query parameter of a piece that carries its signature. */
const signParameter = 'sign';
const signPattern = new RegExp(`(?:^|&)${signParameter}=([0-9a-z]{1,9})\\.([\\w-]{22})(?:&|$)`);

interface Options {
  readonly nowMs: () => number;
  /** Longest time that a playlist names a piece. */
  readonly listedMs: () => number;
}

const marginMs = 60_000;
const mostChecked = 5000;

/**
 * Signatures of segments, parts and subtitles of streams that not everybody may watch. A piece has one signature for all viewers, so that
 * caches keep it once, and for as long as playlists name it. Whoever may not read playlists any more learns of no further piece.
 */
export class SignedPieces {
  readonly #options: Options;
  readonly #key = randomBytes(32);
  /** Paths with their right signatures, since many viewers show the same ones. */
  readonly #checked = new Set<string>();
  /** When each path was signed, in seconds; oldest first. */
  readonly #signed = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Query of the piece at this path. */
  query(path: string): string {
    const now = Math.floor(this.#options.nowMs() / 1000);
    const stableSeconds = this.#stableSeconds();
    let signedAt = this.#signed.get(path);
    if (signedAt === undefined || now - signedAt >= stableSeconds) {
      signedAt = now;
      this.#signed.delete(path);
      this.#signed.set(path, now);
      this.#forget(now - stableSeconds);
    }
    const text = signedAt.toString(36);
    return `${signParameter}=${text}.${this.#mac(path, text)}`;
  }

  /** When the piece was signed; undefined unless the query carries a signature of it that is still valid. */
  signedAtMs(path: string, query: string): number | undefined {
    const [, text = '', shown = ''] = signPattern.exec(query) ?? [];
    const ms = parseInt(text, 36) * 1000;
    if (!(this.#options.nowMs() - ms < 2000 * this.#stableSeconds())) return undefined;
    const whole = `${text} ${shown} ${path}`;
    if (this.#checked.has(whole)) return ms;
    if (!timingSafeEqual(Buffer.from(shown), Buffer.from(this.#mac(path, text)))) return undefined;
    if (this.#checked.size >= mostChecked) this.#checked.clear();
    this.#checked.add(whole);
    return ms;
  }

  /** A signature that is half spent is not given out any more. */
  #stableSeconds(): number {
    return Math.ceil((this.#options.listedMs() + marginMs) / 1000);
  }

  #forget(before: number): void {
    for (const [path, signedAt] of this.#signed) {
      if (signedAt > before) return;
      this.#signed.delete(path);
    }
  }

  #mac(path: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${text} ${path}`).digest('base64url').slice(0, 22);
  }
}
