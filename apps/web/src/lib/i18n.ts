import type { Locale } from '@weir/contract';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { Catalogue, PageCatalogue } from '../locales/catalogue.ts';
import { importWithRetry } from './lazy.ts';
import { isLocale, saveLocale } from './storage.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue & PageCatalogue };
  }
}

/** One chunk per language, so that users load only theirs. */
export type Catalogues = Record<Locale, () => Promise<{ files: Readonly<Record<string, unknown>> }>>;

const htmlLanguage: Record<Locale, string> = { en: 'en', zh: 'zh-CN' };

let wanted: Locale | undefined;
let catalogues: Catalogues;

/** The console and the pages outside it have texts of their own, because viewers need not load the console's. */
export async function startI18n(locale: Locale, texts: Catalogues): Promise<void> {
  wanted = locale;
  catalogues = texts;
  const catalogue = await loadCatalogue(locale);
  await i18next.use(initReactI18next).init({
    lng: locale,
    resources: { [locale]: { translation: catalogue } },
    // React escapes texts already; escaping twice would show entities.
    interpolation: { escapeValue: false },
  });
  setDocumentLanguage(locale);
}

/** Pages stay mounted, so typed text is kept. */
export async function switchLanguage(locale: Locale): Promise<void> {
  wanted = locale;
  saveLocale(locale);
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    i18next.addResourceBundle(locale, 'translation', await loadCatalogue(locale));
  }
  if (wanted !== locale) return;
  await i18next.changeLanguage(locale);
  setDocumentLanguage(locale);
}

/** The name of a file is the first part of the keys in it. */
async function loadCatalogue(locale: Locale): Promise<Record<string, unknown>> {
  const { files } = await importWithRetry(catalogues[locale]);
  const names = Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ''), texts]);
  return Object.fromEntries(names);
}

export function useLocale(): Locale {
  const { i18n } = useTranslation();
  return isLocale(i18n.language) ? i18n.language : 'en';
}

function setDocumentLanguage(locale: Locale): void {
  document.documentElement.lang = htmlLanguage[locale];
}
