/** Name of a language in itself or in the language `reader`; the code where unknown. */
export function languageName(code: string, reader = code): string {
  try {
    return new Intl.DisplayNames([reader, 'en'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
