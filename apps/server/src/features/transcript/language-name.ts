/** As its speakers call it, or as `reader` does. What is no language is called by its code. */
export function languageName(code: string, reader = code): string {
  try {
    return new Intl.DisplayNames([reader, 'en'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
