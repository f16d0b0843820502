interface Decoded {
  readonly text: string;
  /** Of its characters, on average; 0 of no text. */
  readonly confidence: number;
}

/**
 * The best character of each step; one that lasts over several steps is one, and the first class means none (connectionist temporal
 * classification).
 */
export function decodeCtc(scores: Float32Array, classes: number, characters: readonly string[]): Decoded {
  let [text, sum, count, last] = ['', 0, 0, 0];
  for (let step = 0; step + classes <= scores.length; step += classes) {
    let best = 0;
    for (let index = 1; index < classes; index++)
      if ((scores[step + index] ?? 0) > (scores[step + best] ?? 0)) best = index;
    if (best !== 0 && best !== last) {
      text += characters[best - 1] ?? '';
      sum += scores[step + best] ?? 0;
      count += 1;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
}
