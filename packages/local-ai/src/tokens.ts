/** Moonshine uses Llama's vocabulary plus tokens of its own for times and the like. */
const moonshineVocabulary = 32_768;
const llamaVocabulary = 32_000;

/**
 * Builds the token file that sherpa-onnx needs for Moonshine from the source of `llama-tokenizer-js`: per token a line with its bytes in
 * base64 and its number. The source is read, never run.
 */
export function buildMoonshineTokens(source: Buffer): Buffer {
  const [, base64 = ''] = /const llama_vocab_base64 = "([A-Za-z0-9+/=]+)"/.exec(source.toString('utf8')) ?? [];
  const words = Buffer.from(base64, 'base64').toString('utf8').split('\n');
  if (words.length !== llamaVocabulary)
    throw new Error(`the vocabulary has ${words.length} tokens, not ${llamaVocabulary}`);
  const added = Array.from({ length: moonshineVocabulary - llamaVocabulary }, (_, index) => `<<ST_${index}>>`);
  const lines = [...words, ...added].map((word, id) => `${toBytes(word).toString('base64')} ${id}\n`);
  return Buffer.from(lines.join(''));
}

/** Most tokens are text; 256 stand for single bytes and are written as `<0x0A>`. */
function toBytes(word: string): Buffer {
  const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(word) ?? [];
  return byte === undefined ? Buffer.from(word) : Buffer.from([Number.parseInt(byte, 16)]);
}
