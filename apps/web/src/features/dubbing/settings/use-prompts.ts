import { useTranslation } from 'react-i18next';

/** What models are asked unless somebody writes another prompt. */
export function usePrompts() {
  const { t } = useTranslation();
  const toChinese = t('dubb.setting.toChinese');
  const toEnglish = t('dubb.setting.toEnglish');
  return {
    rephrasing: t('dubb.setting.shorter'),
    /** Films in English become Chinese, all others English. */
    translationFrom: (language: string) => (language.startsWith('en') ? toChinese : toEnglish),
    isOurs: (prompt: string) => prompt === toChinese || prompt === toEnglish,
  };
}
