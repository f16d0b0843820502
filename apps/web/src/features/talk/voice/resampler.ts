/** Zero crossings of the filter on each side: 12 keep aliasing below the level of speech. */
const lobes = 12;
const stepsPerLobe = 64;

/** Half of a windowed sinc (Blackman), which is symmetric. */
const kernel = Float32Array.from({ length: lobes * stepsPerLobe + 2 }, (_, index) => {
  const x = index / stepsPerLobe;
  if (x >= lobes) return 0;
  const phase = (Math.PI * (x + lobes)) / lobes;
  const window = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
});

/** Converts the rate of a sound card to that of speech recognition, chunk by chunk and without seams. */
export class Resampler {
  /** Input samples per output sample. */
  readonly #step: number;
  /** Reach of the filter on each side, in input samples. */
  readonly #reach: number;
  #rest = new Float32Array(0);
  /** Position of the next output sample in the rest. */
  #position: number;

  constructor(from: number, to: number) {
    this.#step = from / to;
    this.#reach = Math.ceil(lobes * Math.max(1, this.#step));
    this.#rest = new Float32Array(this.#reach);
    this.#position = this.#reach;
  }

  push(samples: Float32Array): Float32Array {
    if (this.#step === 1) return samples;
    const input = new Float32Array(this.#rest.length + samples.length);
    input.set(this.#rest);
    input.set(samples, this.#rest.length);
    const last = input.length - 1 - this.#reach;
    const count = Math.max(0, Math.floor((last - this.#position) / this.#step) + 1);
    const output = new Float32Array(count);
    for (let n = 0; n < count; n++) output[n] = this.#at(input, this.#position + n * this.#step);
    const next = this.#position + count * this.#step;
    const keepFrom = Math.max(0, Math.min(input.length, Math.floor(next) - this.#reach));
    this.#rest = input.slice(keepFrom);
    this.#position = next - keepFrom;
    return output;
  }

  #at(input: Float32Array, position: number): number {
    const scale = 1 / Math.max(1, this.#step);
    const from = Math.ceil(position - this.#reach);
    const to = Math.floor(position + this.#reach);
    let sum = 0;
    for (let at = from; at <= to; at++) {
      const place = Math.abs(at - position) * scale * stepsPerLobe;
      const below = Math.floor(place);
      const low = kernel[below] ?? 0;
      sum += (input[at] ?? 0) * (low + ((kernel[below + 1] ?? 0) - low) * (place - below));
    }
    return sum * scale;
  }
}
