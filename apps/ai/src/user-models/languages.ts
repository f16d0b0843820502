/** Whisper's, in the order of its training; its English models know one. */
export const whisperLanguages =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'.split(
    ' ',
  );

const codes = new Set(whisperLanguages);

/** Words of sherpa's names of models that stand for a language. */
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

/** Languages that a name such as `vits-piper-en_US-amy-low` speaks of, in its order. */
export function detectLanguages(name: string): string[] {
  const parts = name.toLowerCase().split(/[-_.]/);
  const found = parts.map((part, index) => {
    // A country, as in en_US and pt_BR, is no language.
    const isCountry = index > 0 && codes.has(parts[index - 1] ?? '') && name.includes(`_${part.toUpperCase()}`);
    return isCountry ? undefined : (words[part] ?? (codes.has(part) ? part : undefined));
  });
  return [...new Set(found.filter((code) => code !== undefined))];
}
