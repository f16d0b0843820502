/** The first three names are those other tools of this family use in the browser; they stay as they are. */
export const storageKeys = {
  credentials: 'SRS_TERRAFORM_TOKEN',
  locale: 'ORYX_LOCALE',
  streamName: 'SRS_STREAM_NAME',
  colorScheme: 'WEIR_COLOR_SCHEME',
  publishChoices: 'WEIR_PUBLISH_CHOICES',
  uploads: 'WEIR_UPLOADS',
  captions: 'WEIR_CAPTIONS',
  microphone: 'WEIR_MICROPHONE',
} as const;

/** The language chosen in this browser before, whichever it is. */
export function readLanguage(): unknown {
  const stored = parseJson(readStorage(storageKeys.locale));
  return typeof stored === 'object' && stored !== null && 'lang' in stored ? stored.lang : undefined;
}

/** JSON when it is JSON, else the text itself. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Storage can be switched off or full. The console then works until the page is closed. */
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
    // Nothing to do: what was chosen holds until the page is closed.
  }
}
