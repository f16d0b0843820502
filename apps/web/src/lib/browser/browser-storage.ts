/** The first three keys are shared with other tools of this family and must not change. */
export const storageKeys = {
  credentials: 'SRS_TERRAFORM_TOKEN',
  locale: 'ORYX_LOCALE',
  streamName: 'SRS_STREAM_NAME',
  colorScheme: 'WEIR_COLOR_SCHEME',
  skippedSteps: 'WEIR_SKIPPED_STEPS',
  publishChoices: 'WEIR_PUBLISH_CHOICES',
  uploads: 'WEIR_UPLOADS',
  captions: 'WEIR_CAPTIONS',
  microphone: 'WEIR_MICROPHONE',
  volume: 'WEIR_VOLUME',
} as const;

export function readLanguage(): unknown {
  const stored = parseJson(readStorage(storageKeys.locale));
  return typeof stored === 'object' && stored !== null && 'lang' in stored ? stored.lang : undefined;
}

/** Returns the text itself when it is not JSON. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Storage can be disabled or full; the console then keeps settings until the page is closed. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStorage(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The value lasts until the page is closed.
  }
}
