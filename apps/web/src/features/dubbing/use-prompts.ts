import { useTranslation } from 'react-i18next';

/** Default prompts. */
export function usePrompts() {
  const { t } = useTranslation();
  const toChinese = t('dubbing.setting.toChinese');
  const toEnglish = t('dubbing.setting.toEnglish');
  return {
    rephrasing: t('dubbing.setting.shorter'),
    /** English becomes Chinese, all other languages become English. */
    translationFrom: (language: string) => (language.startsWith('en') ? toChinese : toEnglish),
    isOurs: (prompt: string) => prompt === toChinese || prompt === toEnglish,
  };
}
