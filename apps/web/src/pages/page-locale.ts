import { defaultLocale, type Locale } from '@weir/contract';
import { isLocale } from '../lib/storage.ts';

interface Hints {
  /** Some pages exist once per language. */
  readonly fixed: string | undefined;
  /** `lang` of the address: `zh-cn`, `en`, or something we do not speak. */
  readonly asked: string | null;
  /** Chosen in this browser before. */
  readonly stored: Locale | undefined;
  /** What the browser says its reader speaks, best first. */
  readonly spoken: readonly string[];
}

/** The language of a page that strangers open: what its address says, else what they chose, else what they speak. */
export function selectPageLocale({ fixed, asked, stored, spoken }: Hints): Locale {
  return (
    toLocale(fixed) ??
    toLocale(asked) ??
    stored ??
    spoken.map(toLocale).find((locale) => locale !== undefined) ??
    defaultLocale
  );
}

function toLocale(language: string | null | undefined): Locale | undefined {
  const [name] = (language ?? '').toLowerCase().split(/[-_]/);
  return isLocale(name) ? name : undefined;
}
