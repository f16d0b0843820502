interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Of all that is remembered; what is older is in no queue any more. */
const mostSpans = 64;
/** Pieces of sound follow each other less exactly than their samples. */
const joinMs = 60;
/** Shorter is no word. */
const leastMs = 500;

/** Which parts of a stream somebody has listened to, by publisher: nothing is to be heard twice. */
export class HeardSpans {
  #spans: ({ readonly epoch: string } & Span)[] = [];

  add(epoch: string, { fromMs, toMs }: Span): void {
    const isJoined = (span: { epoch: string } & Span) =>
      span.epoch === epoch && span.fromMs <= toMs + joinMs && span.toMs >= fromMs - joinMs;
    const joined = this.#spans.filter(isJoined);
    const others = this.#spans.filter((span) => !isJoined(span));
    const from = Math.min(fromMs, ...joined.map((span) => span.fromMs));
    const to = Math.max(toMs, ...joined.map((span) => span.toMs));
    this.#spans = [...others, { epoch, fromMs: from, toMs: to }].slice(-mostSpans);
  }

  /** Somebody has listened to all of it. */
  has(epoch: string, { fromMs, toMs }: Span): boolean {
    return this.#spans.some((span) => span.epoch === epoch && span.fromMs <= fromMs && span.toMs >= toMs);
  }

  /** What nobody has listened to, in order, as far as it is worth it. */
  missing(epoch: string, whole: Span): Span[] {
    let left: Span[] = [whole];
    for (const { fromMs, toMs } of this.#spans.filter((span) => span.epoch === epoch)) {
      left = left.flatMap((span) => [
        { fromMs: span.fromMs, toMs: Math.min(span.toMs, fromMs) },
        { fromMs: Math.max(span.fromMs, toMs), toMs: span.toMs },
      ]);
      left = left.filter((span) => span.toMs > span.fromMs);
    }
    return left.filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs).sort((a, b) => a.fromMs - b.fromMs);
  }
}
