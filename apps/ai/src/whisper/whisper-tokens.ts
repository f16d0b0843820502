/** Numbers of Whisper's tokens, and the text behind them. */
export class WhisperTokens {
  readonly start: number;
  readonly end: number;
  readonly transcribe: number;
  readonly noTimestamps: number;
  /** Tokens that never belong to speech, and those that never begin it. */
  readonly suppressed: readonly number[];
  readonly suppressedFirst: readonly number[];
  /** Token of each language code. */
  readonly languages: ReadonlyMap<string, number>;
  /** Bytes of each token, in the alphabet of byte-level vocabularies. */
  readonly #words: readonly string[];

  constructor(vocabulary: unknown, generation: unknown) {
    const { decoder_start_token_id, eos_token_id, no_timestamps_token_id, task_to_id, lang_to_id, ...rest } =
      generation as GenerationConfig;
    this.start = decoder_start_token_id;
    this.end = eos_token_id;
    this.transcribe = task_to_id.transcribe;
    this.noTimestamps = no_timestamps_token_id;
    this.suppressed = rest.suppress_tokens;
    this.suppressedFirst = rest.begin_suppress_tokens ?? [220, eos_token_id];
    this.languages = new Map(Object.entries(lang_to_id).map(([mark, id]) => [mark.replaceAll(/[<|>]/g, ''), id]));
    const words: string[] = [];
    for (const [word, id] of Object.entries(vocabulary as Record<string, number>)) words[id] = word;
    this.#words = words;
  }

  /** Text of tokens; bytes that are no whole character, at a cut, are left out. */
  decode(tokens: readonly number[]): string {
    const bytes: number[] = [];
    for (const token of tokens)
      if (token < this.end) for (const sign of this.#words[token] ?? '') bytes.push(byteOf.get(sign) ?? 0x20);
    return new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll('\ufffd', '').trim();
  }
}

interface GenerationConfig {
  readonly decoder_start_token_id: number;
  readonly eos_token_id: number;
  readonly no_timestamps_token_id: number;
  readonly task_to_id: { readonly transcribe: number };
  readonly lang_to_id: Readonly<Record<string, number>>;
  readonly suppress_tokens: readonly number[];
  readonly begin_suppress_tokens?: readonly number[];
}

/** Byte-level vocabularies write printable bytes as they are and the others as characters from U+0100 on. */
const byteOf: ReadonlyMap<string, number> = makeAlphabet();

function makeAlphabet(): Map<string, number> {
  const isPrintable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 255 && byte !== 173);
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) alphabet.set(String.fromCodePoint(isPrintable(byte) ? byte : next++), byte);
  return alphabet;
}
