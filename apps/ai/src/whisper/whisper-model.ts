import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { logMel } from './log-mel.ts';
import { WhisperTokens } from './whisper-tokens.ts';

/** Subset of the API of ONNX Runtime. */
interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}
type TensorData = Float32Array | BigInt64Array | readonly boolean[];
type Tensors = Record<string, Tensor>;
interface Session {
  readonly outputNames: readonly string[];
  run(inputs: Tensors): Promise<Tensors>;
}
interface OnnxRuntime {
  readonly Tensor: new (type: string, data: TensorData, dims: readonly number[]) => Tensor;
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> };
}

/** Places of the files of one model. */
export interface WhisperFiles {
  /** Folder of `onnxruntime-node`. */
  readonly runtime: string;
  readonly encoder: string;
  readonly decoder: string;
  readonly vocabulary: string;
  readonly generation: string;
  readonly config: string;
  /** Module that turns Traditional characters into Simplified ones. */
  readonly simplify: string;
}

/** Longest audio at once: the encoder is shortened to it. */
const whisperSeconds = 10;
const framesPerSecond = 100;
const sampleRate = 16_000;
/** Mean logarithm of the tokens' probabilities below which a text is invented. */
const leastMeanLog = -1.1;
/** Fast speech has about 12 tokens a second in Chinese. */
const tokensPerSecond = 16;
const mostTokens = 200;
/** Regions and scripts whose Chinese is not folded to Simplified characters. */
const traditional = ['tw', 'hk', 'mo', 'hant'];

export interface WhisperResult {
  readonly text: string;
  /** Given or recognised language. */
  readonly language: string;
  /** True if the text was left to another model. */
  readonly isLeft: boolean;
}

/** Multilingual speech recognition with Whisper, one utterance at a time. */
export class WhisperModel {
  readonly #runtime: OnnxRuntime;
  readonly #encoder: Session;
  readonly #decoder: Session;
  readonly #tokens: WhisperTokens;
  readonly #shape: { readonly layers: number; readonly heads: number; readonly width: number };
  readonly #simplify: (text: string) => string;

  private constructor(parts: {
    readonly runtime: OnnxRuntime;
    readonly encoder: Session;
    readonly decoder: Session;
    readonly tokens: WhisperTokens;
    readonly shape: { readonly layers: number; readonly heads: number; readonly width: number };
    readonly simplify: (text: string) => string;
  }) {
    this.#runtime = parts.runtime;
    this.#encoder = parts.encoder;
    this.#decoder = parts.decoder;
    this.#tokens = parts.tokens;
    this.#shape = parts.shape;
    this.#simplify = parts.simplify;
  }

  static async load(files: WhisperFiles, threads: number): Promise<WhisperModel> {
    const runtime = createRequire(join(files.runtime, 'package.json'))(files.runtime) as OnnxRuntime;
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 };
    const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
    const config = (await json(files.config)) as Readonly<Record<string, number>>;
    const { decoder_layers: layers = 0, decoder_attention_heads: heads = 0, d_model: size = 0 } = config;
    const { default: opencc } = (await import(pathToFileURL(files.simplify).href)) as { default: OpenCc };
    return new WhisperModel({
      runtime,
      encoder: await runtime.InferenceSession.create(files.encoder, options),
      decoder: await runtime.InferenceSession.create(files.decoder, options),
      tokens: new WhisperTokens(await json(files.vocabulary), await json(files.generation)),
      shape: { layers, heads, width: size / heads },
      simplify: opencc.Converter({ from: 't', to: 'cn' }),
    });
  }

  /**
   * Text of at most ten seconds. An empty language is recognised first; speech in one of the `left` languages is left to another model, which
   * understands it better or with less work.
   */
  async recognize(samples: Float32Array, language: string, left: readonly string[] = []): Promise<WhisperResult> {
    const frames = whisperSeconds * framesPerSecond;
    const mel = new this.#runtime.Tensor('float32', logMel(samples, frames), [1, 80, frames]);
    const { last_hidden_state: hidden } = await this.#encoder.run({ input_features: mel });
    if (!hidden) throw new Error('the encoder returned no result');
    const [wanted = '', region = ''] = language.split('-');
    const code = wanted === '' ? await this.#detect(hidden) : wanted;
    if (wanted === '' && left.includes(code)) return { text: '', language: code, isLeft: true };
    const token = this.#tokens.languages.get(code);
    if (token === undefined) throw new Error(`Whisper does not know the language ${code}`);
    const { start, transcribe, noTimestamps } = this.#tokens;
    const most = Math.min(mostTokens, Math.ceil(8 + (tokensPerSecond * samples.length) / sampleRate));
    const text = await this.#decode(hidden, [start, token, transcribe, noTimestamps], most);
    // Whisper writes Chinese in either script at random.
    const isSimplified = code === 'zh' && !traditional.includes(region);
    return { text: isSimplified ? this.#simplify(text) : text, language: code, isLeft: false };
  }

  /** The most probable language of the audio, by the first step of the decoder. */
  async #detect(hidden: Tensor): Promise<string> {
    const { logits } = await this.#step(hidden, [this.#tokens.start], undefined);
    const scored = [...this.#tokens.languages].map(([code, id]) => ({ code, score: logits[id] ?? 0 }));
    return scored.reduce((a, b) => (b.score > a.score ? b : a)).code;
  }

  /** Most probable tokens one by one, until the end, the limit, or a loop. */
  async #decode(hidden: Tensor, prompt: readonly number[], most: number): Promise<string> {
    const found: number[] = [];
    let logSum = 0;
    let { logits, cache } = await this.#step(hidden, prompt, undefined);
    for (;;) {
      for (const token of this.#tokens.suppressed) logits[token] = Number.NEGATIVE_INFINITY;
      if (found.length === 0)
        for (const token of this.#tokens.suppressedFirst) logits[token] = Number.NEGATIVE_INFINITY;
      const { token, log } = best(logits, this.#tokens.noTimestamps);
      logSum += log;
      if (token === this.#tokens.end) break;
      found.push(token);
      const repeated = countRepeated(found);
      if (repeated > 0) {
        found.length -= repeated;
        break;
      }
      if (found.length >= most) break;
      ({ logits, cache } = await this.#step(hidden, [token], cache));
    }
    return logSum / (found.length + 1) < leastMeanLog ? '' : this.#tokens.decode(found);
  }

  /** One step of the decoder. Keys and values of the encoder come with the first step and stay. */
  async #step(hidden: Tensor, tokens: readonly number[], cache: Tensors | undefined) {
    const { Tensor } = this.#runtime;
    const ids = new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
    const outputs = await this.#decoder.run({
      input_ids: ids,
      encoder_hidden_states: hidden,
      use_cache_branch: new Tensor('bool', [cache !== undefined], [1]),
      ...(cache ?? this.#emptyCache()),
    });
    const next: Tensors = {};
    for (const [name, tensor] of Object.entries(outputs)) {
      if (!name.startsWith('present.')) continue;
      const past = name.replace('present.', 'past_key_values.');
      next[past] = name.includes('.encoder.') ? (cache?.[past] ?? tensor) : tensor;
    }
    const all = outputs.logits;
    if (!all) throw new Error('the decoder returned no result');
    const vocabulary = all.dims.at(-1) ?? 0;
    return { logits: all.data.slice(all.data.length - vocabulary), cache: next };
  }

  #emptyCache(): Tensors {
    const { layers, heads, width } = this.#shape;
    const empty = new this.#runtime.Tensor('float32', new Float32Array(0), [1, heads, 0, width]);
    const kinds = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
    const names = Array.from({ length: layers }, (_, layer) => kinds.map((kind) => `past_key_values.${layer}.${kind}`));
    return Object.fromEntries(names.flat().map((name) => [name, empty]));
  }
}

interface OpenCc {
  readonly Converter: (options: { from: string; to: string }) => (text: string) => string;
}

/** Most probable token below a limit, and the logarithm of its probability. */
function best(logits: Float32Array, below: number): { token: number; log: number } {
  let token = 0;
  for (let id = 1; id < below; id++) if ((logits[id] ?? 0) > (logits[token] ?? 0)) token = id;
  const highest = logits[token] ?? 0;
  let sum = 0;
  for (let id = 0; id < below; id++) sum += Math.exp((logits[id] ?? 0) - highest);
  return { token, log: -Math.log(sum) };
}

const longestLoop = 12;

/** Number of tokens at the end that only repeat what comes before them: a phrase said four times, or one token said eight times. */
export function countRepeated(tokens: readonly number[]): number {
  for (let period = 1; period <= longestLoop; period++) {
    const times = period === 1 ? 8 : 4;
    const length = period * times;
    if (tokens.length < length) continue;
    const tail = tokens.slice(-length);
    if (tail.every((token, at) => token === tail[at % period])) return length - period;
  }
  return 0;
}
