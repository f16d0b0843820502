interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Limit of remembered spans; older ones are in no queue any more. */
const mostSpans = 64;
/** Pieces of sound follow each other less exactly than their samples. */
const joinMs = 60;
/** Shorter is no word. */
const leastMs = 500;

/** Transcribed parts of a stream by publisher, so that nothing is transcribed twice. */
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

  /** True if the whole span was transcribed. */
  has(epoch: string, { fromMs, toMs }: Span): boolean {
    return this.#spans.some((span) => span.epoch === epoch && span.fromMs <= fromMs && span.toMs >= toMs);
  }

  /** Gaps in order, without those too short to matter. */
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
