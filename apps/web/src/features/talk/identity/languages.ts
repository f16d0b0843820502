/** Languages that are offered; a link or a room may name another one. */
const offered = ['en', 'zh', 'fr', 'de', 'ja', 'ru'];

interface Choice {
  readonly value: string;
  readonly label: string;
}

export function languageChoices(locale: string, ...also: readonly string[]): Choice[] {
  const codes = [...new Set([...offered, ...also.filter((code) => code !== '')])];
  return codes.map((value) => ({ value, label: languageName(value, locale) }));
}

/** `English`; a code that nobody knows stays as it is. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
