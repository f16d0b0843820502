import type { AiCapability } from '@weir/contract';

/** Model of the built-in process, as `/v1/models` lists it. */
export interface LocalModel {
  readonly id: string;
  readonly kind: string;
  readonly languages: readonly string[];
  readonly name: string;
}

const kinds: Readonly<Record<AiCapability, string>> = {
  transcribe: 'speech-to-text',
  chat: 'chat',
  see: 'vision',
  speak: 'voice',
};

/** The model that does it, in that language; an empty one is what people mean who say nothing. */
export function localModel(
  models: readonly LocalModel[],
  need: AiCapability,
  { language = '', wanted = '' }: { readonly language?: string | undefined; readonly wanted?: string | undefined } = {},
): LocalModel | undefined {
  const able = models.filter(({ kind, languages }) => kind === kinds[need] && speaks(languages, language));
  // A model of many languages recognises which one is spoken.
  const multilingual =
    need === 'transcribe' && language === '' ? able.find((model) => model.languages.length > 1) : undefined;
  return able.find(({ id }) => id === wanted) ?? multilingual ?? able[0];
}

/** Codes may carry a region (`zh-TW`), which no model here tells apart. */
function speaks(languages: readonly string[], language: string): boolean {
  const wanted = plain(language);
  return wanted === '' || languages.length === 0 || languages.some((one) => plain(one) === wanted);
}

const plain = (code: string) => code.toLowerCase().split(/[-_]/)[0] ?? '';
