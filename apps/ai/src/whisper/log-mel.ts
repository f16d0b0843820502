/** Analysis that Whisper was trained with: 25 ms windows each 10 ms, in 80 bands. */
const [windowSize, hop, bands, rate] = [400, 160, 80, 16_000];
const bins = windowSize / 2 + 1;

/** Symmetric over its period, as `torch.hann_window` makes it. */
const hann = Float64Array.from(
  { length: windowSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowSize),
);

/** Slaney's scale: linear up to 1 kHz, 27 steps for each factor of 6.4 above. */
const [linearTop, hertzPerMel] = [1000, 200 / 3];
const logStep = Math.log(6.4) / 27;

interface Band {
  readonly from: number;
  readonly weights: Float64Array;
}

let filters: readonly Band[] | undefined;

/** Made with the first audio: most processes hear none. */
function filterBands(): readonly Band[] {
  filters ??= makeFilters();
  return filters;
}

/**
 * Log-mel spectrogram of the first `frames` × 10 ms, silence after the end of the samples: `bands` rows of `frames` values. Quieter than 80 dB
 * below the loudest value counts as silence.
 */
export function logMel(samples: Float32Array, frames: number): Float32Array {
  const spectrum = new Spectrum();
  const mel = new Float32Array(bands * frames);
  const length = frames * hop;
  let loudest = Number.NEGATIVE_INFINITY;
  // Frames without sound all have the least value.
  const heard = Math.min(frames, Math.ceil((samples.length + windowSize / 2) / hop));
  mel.fill(-10);
  for (let frame = 0; frame < heard; frame++) {
    const power = spectrum.of(frame * hop - windowSize / 2, samples, length);
    for (const [band, { from, weights }] of filterBands().entries()) {
      let sum = 0;
      for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (power[from + at] ?? 0);
      const value = Math.log10(Math.max(sum, 1e-10));
      mel[band * frames + frame] = value;
      if (value > loudest) loudest = value;
    }
  }
  for (let at = 0; at < mel.length; at++) mel[at] = (Math.max(mel[at] ?? 0, loudest - 8) + 4) / 4;
  return mel;
}

const cosines = Float64Array.from({ length: windowSize }, (_, at) => Math.cos((2 * Math.PI * at) / windowSize));
const sines = Float64Array.from({ length: windowSize }, (_, at) => Math.sin((2 * Math.PI * at) / windowSize));
/** Factors of the window's size. */
const radices = [4, 4, 5, 5];

/** Power of 400 samples by frequency, with Stockham's transform, which needs no reordering. */
class Spectrum {
  #from: readonly [Float64Array, Float64Array] = [new Float64Array(windowSize), new Float64Array(windowSize)];
  #to: readonly [Float64Array, Float64Array] = [new Float64Array(windowSize), new Float64Array(windowSize)];
  readonly #power = new Float64Array(bins);

  /** Samples before the start and after the end are mirrored, as in the training. */
  of(start: number, samples: Float32Array, length: number): Float64Array {
    const [real, imaginary] = this.#from;
    for (let at = 0; at < windowSize; at++) {
      const place = Math.abs(start + at);
      const mirrored = place < length ? place : 2 * (length - 1) - place;
      real[at] = (hann[at] ?? 0) * (samples[mirrored] ?? 0);
    }
    imaginary.fill(0);
    let [size, stride] = [windowSize, 1];
    for (const radix of radices) {
      size /= radix;
      this.#butterflies(radix, size, stride);
      stride *= radix;
      [this.#from, this.#to] = [this.#to, this.#from];
    }
    const [outReal, outImaginary] = this.#from;
    for (let bin = 0; bin < bins; bin++) this.#power[bin] = (outReal[bin] ?? 0) ** 2 + (outImaginary[bin] ?? 0) ** 2;
    return this.#power;
  }

  #butterflies(radix: number, size: number, stride: number): void {
    const [inReal, inImaginary] = this.#from;
    const [outReal, outImaginary] = this.#to;
    const turn = windowSize / radix;
    for (let part = 0; part < size; part++) {
      for (let each = 0; each < radix; each++) {
        for (let place = 0; place < stride; place++) {
          let [real, imaginary] = [0, 0];
          for (let other = 0; other < radix; other++) {
            const from = place + stride * (part + size * other);
            const angle = (each * (other * turn + part * stride)) % windowSize;
            const cosine = cosines[angle] ?? 0;
            const sine = sines[angle] ?? 0;
            real += (inReal[from] ?? 0) * cosine + (inImaginary[from] ?? 0) * sine;
            imaginary += (inImaginary[from] ?? 0) * cosine - (inReal[from] ?? 0) * sine;
          }
          const to = place + stride * (radix * part + each);
          outReal[to] = real;
          outImaginary[to] = imaginary;
        }
      }
    }
  }
}

/** Triangular bands of the same area. */
function makeFilters(): Band[] {
  const top = toMel(rate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, at) => toHertz((top * at) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [low = 0, center = 0, high = 0] = edges.slice(band, band + 3);
    const weights = Array.from({ length: bins }, (_, bin) => {
      const hertz = (bin * rate) / windowSize;
      const height = Math.min((hertz - low) / (center - low), (high - hertz) / (high - center));
      return Math.max(0, height) * (2 / (high - low));
    });
    const from = weights.findIndex((weight) => weight > 0);
    const to = weights.findLastIndex((weight) => weight > 0);
    return { from: Math.max(from, 0), weights: Float64Array.from(from < 0 ? [] : weights.slice(from, to + 1)) };
  });
}

function toMel(hertz: number): number {
  const linear = hertz / hertzPerMel;
  return hertz < linearTop ? linear : linearTop / hertzPerMel + Math.log(hertz / linearTop) / logStep;
}

function toHertz(mel: number): number {
  const corner = linearTop / hertzPerMel;
  return mel < corner ? mel * hertzPerMel : linearTop * Math.exp(logStep * (mel - corner));
}
