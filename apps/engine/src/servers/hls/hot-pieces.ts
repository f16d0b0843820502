/** Bytes that are answered from memory: segments, parts, initialisation segments. */
export interface Piece {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** All pieces in memory by the path of their address. Over its limit the oldest go; files are the second place to look. */
export class HotPieces {
  readonly #maxBytes: number;
  readonly #pieces = new Map<string, Piece>();
  #bytes = 0;

  constructor(maxBytes = 1024 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(path: string): Piece | undefined {
    return this.#pieces.get(path);
  }

  put(path: string, piece: Piece): void {
    this.delete(path);
    this.#pieces.set(path, piece);
    this.#bytes += piece.bytes.length;
    for (const oldest of this.#pieces.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === path) break;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    const piece = this.#pieces.get(path);
    if (!piece) return;
    this.#pieces.delete(path);
    this.#bytes -= piece.bytes.length;
  }
}
