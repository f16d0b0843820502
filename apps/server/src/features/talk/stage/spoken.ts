/** Some minutes of speech. */
const mostBytes = 32 * 1024 * 1024;

interface Audio {
  readonly ready: Promise<Uint8Array | undefined>;
  bytes: number;
}

/** Speech of the assistant in one conversation: each piece exists, or is being made, until no listener needs it. */
export class Spoken {
  readonly #audio = new Map<string, Audio>();
  #bytes = 0;

  /** `making` answers with nothing when it failed; then only the text is left. */
  add(asid: string, making: Promise<Uint8Array | undefined>): void {
    const audio: Audio = { ready: making, bytes: 0 };
    this.#audio.set(asid, audio);
    void making.then((made) => {
      if (!made || this.#audio.get(asid) !== audio) return;
      audio.bytes = made.length;
      this.#bytes += made.length;
      for (const oldest of this.#audio.keys()) {
        if (this.#bytes <= mostBytes) return;
        this.remove(oldest);
      }
    });
  }

  get(asid: string): Promise<Uint8Array | undefined> {
    return this.#audio.get(asid)?.ready ?? Promise.resolve(undefined);
  }

  remove(asid: string): void {
    this.#bytes -= this.#audio.get(asid)?.bytes ?? 0;
    this.#audio.delete(asid);
  }

  /** Removes pieces without a listener. */
  sweep(isNeeded: (asid: string) => boolean): void {
    for (const asid of this.#audio.keys()) if (!isNeeded(asid)) this.remove(asid);
  }
}
