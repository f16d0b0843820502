import type { Locale } from '@weir/contract';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { Catalogue } from '../locales/en.ts';
import type { PageCatalogue } from '../locales/pages-en.ts';
import { importWithRetry } from './lazy.ts';
import { isLocale, saveLocale } from './storage.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue & PageCatalogue };
  }
}

/** One chunk per language, so that users load only theirs. */
export type Catalogues = Record<Locale, () => Promise<{ catalogue: Catalogue | PageCatalogue }>>;

const ofConsole: Catalogues = {
  en: () => import('../locales/en.ts'),
  zh: () => import('../locales/zh.ts'),
};

const htmlLanguage: Record<Locale, string> = { en: 'en', zh: 'zh-CN' };

let wanted: Locale | undefined;
let catalogues = ofConsole;

/** Pages outside the console pass their own texts, because viewers need not load the console's. */
export async function startI18n(locale: Locale, texts = ofConsole): Promise<void> {
  wanted = locale;
  catalogues = texts;
  const { catalogue } = await importWithRetry(catalogues[locale]);
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
    const { catalogue } = await importWithRetry(catalogues[locale]);
    i18next.addResourceBundle(locale, 'translation', catalogue);
  }
  if (wanted !== locale) return;
  await i18next.changeLanguage(locale);
  setDocumentLanguage(locale);
}

export function useLocale(): Locale {
  const { i18n } = useTranslation();
  return isLocale(i18n.language) ? i18n.language : 'en';
}

function setDocumentLanguage(locale: Locale): void {
  document.documentElement.lang = htmlLanguage[locale];
}
