import { useTranslation } from 'react-i18next';

/** What models are asked unless somebody writes another prompt. */
export function usePrompts() {
  const { t } = useTranslation();
  const toChinese = t('dubbing.setting.toChinese');
  const toEnglish = t('dubbing.setting.toEnglish');
  return {
    rephrasing: t('dubbing.setting.shorter'),
    /** Films in English become Chinese, all others English. */
    translationFrom: (language: string) => (language.startsWith('en') ? toChinese : toEnglish),
    isOurs: (prompt: string) => prompt === toChinese || prompt === toEnglish,
  };
}
