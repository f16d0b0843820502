import { defaultLocale, type Locale } from '@weir/contract';
import { isLocale } from '../lib/storage.ts';

interface Hints {
  /** Set on pages that exist once per language. */
  readonly fixed: string | undefined;
  /** `lang` of the address: `zh-cn`, `en`, or an unsupported language. */
  readonly asked: string | null;
  /** Previous choice in this browser. */
  readonly stored: Locale | undefined;
  /** Browser's preferred languages, best first. */
  readonly spoken: readonly string[];
}

/** Picks the language of a public page: its address, then the stored choice, then the browser's languages. */
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
