const headerBytes = 9 + 4;
const tagBytes = 11;
const video = 9;

/** A viewer over HTTP-FLV that notes how late each picture is: when it came, less its own time. */
export class FrameWatch {
  readonly #abort = new AbortController();
  readonly #late: number[] = [];
  readonly #times: number[] = [];
  #rest = Buffer.alloc(0);
  #hasHeader = false;

  static async open(url: string): Promise<FrameWatch> {
    const watch = new FrameWatch();
    const response = await fetch(url, { signal: watch.#abort.signal });
    if (response.status !== 200 || !response.body) throw new Error(`no stream: ${response.status}`);
    const read = async (body: AsyncIterable<Uint8Array>) => {
      for await (const chunk of body) watch.#push(Buffer.from(chunk));
    };
    read(response.body as unknown as AsyncIterable<Uint8Array>).catch(() => undefined);
    return watch;
  }

  /** Date of the stream's beginning, as the quickest picture tells it. */
  get zeroMs(): number {
    return Math.min(...this.#late);
  }

  /** Forgets what came so far: who joins gets a group of pictures at once. */
  begin(): void {
    this.#late.length = 0;
    this.#times.length = 0;
  }

  /** Number of frames, missing ones, and delays against the quickest. */
  facts(): { pictures: number; missing: number; late: number[] } {
    const { zeroMs } = this;
    const steps = this.#times.slice(1).map((time, at) => time - (this.#times[at] ?? time));
    const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0;
    const missing = steps.reduce((sum, step) => sum + Math.max(0, Math.round(step / usual) - 1), 0);
    return { pictures: this.#late.length, missing, late: this.#late.map((late) => late - zeroMs) };
  }

  close(): void {
    this.#abort.abort();
  }

  #push(chunk: Buffer): void {
    const nowMs = performance.timeOrigin + performance.now();
    let bytes = Buffer.concat([this.#rest, chunk]);
    if (!this.#hasHeader && bytes.length >= headerBytes) {
      this.#hasHeader = true;
      bytes = bytes.subarray(headerBytes);
    }
    while (this.#hasHeader && bytes.length >= tagBytes) {
      const size = tagBytes + bytes.readUIntBE(1, 3) + 4;
      if (bytes.length < size) break;
      const timeMs = bytes.readUIntBE(4, 3) + (bytes[7] ?? 0) * 2 ** 24;
      // The second byte of a picture says what it is: 1 a picture, 0 how to read them.
      if (bytes[0] === video && bytes[tagBytes + 1] === 1) {
        this.#late.push(nowMs - timeMs);
        this.#times.push(timeMs);
      }
      bytes = bytes.subarray(size);
    }
    this.#rest = Buffer.from(bytes);
  }
}
