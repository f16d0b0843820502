import type { Catalogues } from '../lib/i18n.ts';

export const consoleTexts: Catalogues = {
  en: () => import('../locales/en.ts'),
  zh: () => import('../locales/zh.ts'),
};
