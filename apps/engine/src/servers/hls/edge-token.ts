import { createHash, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../../http/exchange.ts';
import { edgeHeader } from '../../http/media-replies.ts';

/**
 * Tells edges from viewers: a cache that asks for many gets playlists without a session, whatever viewers get here. While no
 * token is set everybody is a viewer.
 */
export class EdgeToken {
  #digest: Buffer | undefined;

  set(token: string): void {
    this.#digest = token === '' ? undefined : digestOf(token);
  }

  /**
   * `stranger`: it claims to be an edge, with a wrong token. It is refused, because as a viewer it would share one session among all of its own
   * viewers.
   */
  read(exchange: Pick<Exchange, 'header'>): 'viewer' | 'edge' | 'stranger' {
    if (!this.#digest) return 'viewer';
    const shown = exchange.header(edgeHeader);
    if (shown === undefined) return 'viewer';
    return timingSafeEqual(digestOf(shown), this.#digest) ? 'edge' : 'stranger';
  }
}

/** Digest of fixed length for a constant-time comparison. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
