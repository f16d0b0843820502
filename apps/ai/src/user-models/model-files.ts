/** Languages of Whisper in training order; its English models support one. */
export const whisperLanguages: readonly string[] =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'.split(
    ' ',
  );

const codes = new Set(whisperLanguages);

/** Words in sherpa-onnx model names that imply a language. */
const words: Readonly<Record<string, string>> = {
  aishell: 'zh',
  aishell3: 'zh',
  arabic: 'ar',
  bengali: 'bn',
  cantonese: 'yue',
  french: 'fr',
  german: 'de',
  gigaspeech: 'en',
  gigaspeech2: 'th',
  japanese: 'ja',
  korean: 'ko',
  librispeech: 'en',
  ljspeech: 'en',
  ljs: 'en',
  reazonspeech: 'ja',
  russian: 'ru',
  spanish: 'es',
  tedlium3: 'en',
  thai: 'th',
  vctk: 'en',
  wenetspeech: 'zh',
};

/** Detects languages in a name such as `vits-piper-en_US-amy-low`, in order. */
export function detectLanguages(name: string): string[] {
  const parts = name.toLowerCase().split(/[-_.]/);
  const found = parts.map((part, index) => {
    // Country codes as in en_US and pt_BR are no languages.
    const isCountry = index > 0 && codes.has(parts[index - 1] ?? '') && name.includes(`_${part.toUpperCase()}`);
    return isCountry ? undefined : (words[part] ?? (codes.has(part) ? part : undefined));
  });
  return [...new Set(found.filter((code) => code !== undefined))];
}

/** Model detected in a folder. */
export interface ModelFiles {
  readonly kind: 'speech-to-text' | 'voice';
  readonly languages: readonly string[];
  /** sherpa-onnx settings; `path` resolves a file name. */
  readonly config: (path: (name: string) => string, language: string) => Readonly<Record<string, unknown>>;
}

/**
 * Detects a model by the file names that the sherpa-onnx project uses. Returns a text if the files cannot be used, undefined if there is no
 * model.
 */
export function detectModelFiles(folder: string, names: readonly string[]): ModelFiles | string | undefined {
  if (!names.some((name) => name.endsWith('.onnx'))) return undefined;
  const has = (name: string) => names.includes(name);
  /** Quantized files are smaller and faster; some decoders gain nothing from it. */
  const find = (pattern: RegExp, isQuantized = true) => {
    const fitting = names.filter((name) => name.endsWith('.onnx') && pattern.test(name)).sort();
    return fitting.find((name) => name.includes('int8') === isQuantized) ?? fitting[0];
  };
  const isNamed = (pattern: RegExp) => pattern.test(folder);
  if (isNamed(/streaming/i)) return 'Streaming models are not supported. Use a non-streaming model.';
  const languages = detectLanguages(folder);
  const heard = (known: readonly string[], config: ModelFiles['config']): ModelFiles => ({
    kind: 'speech-to-text',
    languages: known,
    config,
  });

  const whisper = detectWhisper(names);
  if (whisper) {
    const known = /\.en-/.test(whisper.encoder) ? ['en'] : whisperLanguages;
    return heard(known, (path, language) => ({
      whisper: {
        encoder: path(whisper.encoder),
        decoder: path(whisper.decoder),
        language,
        task: 'transcribe',
        tailPaddings: -1,
      },
      tokens: path(whisper.tokens),
    }));
  }
  if (!has('tokens.txt')) return 'The file tokens.txt is missing.';
  const [encoder, decoder, joiner] = [find(/^encoder/), find(/^decoder/, false), find(/^joiner/)];
  if (encoder && decoder && joiner)
    return heard(languages, (path) => ({
      transducer: { encoder: path(encoder), decoder: path(decoder), joiner: path(joiner) },
      tokens: path('tokens.txt'),
    }));
  const [whole, merged] = [find(/^encoder_model/), find(/^decoder_model_merged/)];
  if (whole && merged && isNamed(/moonshine/i))
    return heard(languages, (path) => ({
      moonshine: { encoder: path(whole), mergedDecoder: path(merged) },
      tokens: path('tokens.txt'),
    }));
  const model = find(/^model/);
  if (model && isNamed(/sense-?voice/i))
    return heard(['zh', 'en', 'ja', 'ko', 'yue'], (path, language) => ({
      senseVoice: { model: path(model), language: language || 'auto', useInverseTextNormalization: 1 },
      tokens: path('tokens.txt'),
    }));
  if (model && isNamed(/paraformer/i))
    return heard(languages.length > 0 ? languages : ['zh', 'en'], (path) => ({
      paraformer: { model: path(model) },
      tokens: path('tokens.txt'),
    }));
  return (
    detectVoice(folder, names, languages) ??
    'The type of this model is unknown. Give the folder the original name of the model.'
  );
}

/** `tiny-encoder.int8.onnx`, `tiny-decoder.int8.onnx`, `tiny-tokens.txt` */
function detectWhisper(names: readonly string[]) {
  for (const ending of ['.int8.onnx', '.onnx']) {
    for (const encoder of names.filter((name) => name.endsWith(`-encoder${ending}`))) {
      const size = encoder.slice(0, -`-encoder${ending}`.length);
      const [decoder, tokens] = [`${size}-decoder${ending}`, `${size}-tokens.txt`];
      if (names.includes(decoder) && names.includes(tokens)) return { encoder, decoder, tokens };
    }
  }
  return undefined;
}

function detectVoice(folder: string, names: readonly string[], languages: readonly string[]): ModelFiles | undefined {
  const has = (name: string) => names.includes(name);
  const models = names.filter((name) => name.endsWith('.onnx')).sort();
  const model = models.find((name) => name.includes('int8')) ?? models[0];
  if (!model) return undefined;
  const data = (path: (name: string) => string) => ({
    ...(has('espeak-ng-data') && { dataDir: path('espeak-ng-data') }),
    ...(has('dict') && { dictDir: path('dict') }),
  });
  if (has('voices.bin') && /kokoro/i.test(folder)) {
    const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name)).sort();
    const known = languages.length > 0 ? languages : /multi-lang/.test(folder) ? ['en', 'zh'] : ['en'];
    return {
      kind: 'voice',
      languages: known,
      config: (path) => ({
        kokoro: {
          model: path(model),
          voices: path('voices.bin'),
          tokens: path('tokens.txt'),
          lexicon: lexicons.map(path).join(','),
          ...data(path),
        },
      }),
    };
  }
  if (!has('espeak-ng-data') && !has('lexicon.txt')) return undefined;
  return {
    kind: 'voice',
    languages,
    config: (path) => ({
      vits: {
        model: path(model),
        tokens: path('tokens.txt'),
        lexicon: has('lexicon.txt') ? path('lexicon.txt') : '',
        ...data(path),
      },
    }),
  };
}
