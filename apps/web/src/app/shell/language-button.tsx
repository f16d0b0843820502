import { Button } from '@mantine/core';
import type { Locale } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useLocale } from '../../lib/i18n.ts';
import { withLocale } from '../routing.ts';

/** Languages are listed in their own language. */
export const languageNames: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' };

/** Changes only the address. The address decides the language, and the page stays mounted. */
export function useSwitchLanguage(): (locale: Locale) => void {
  const location = useLocation();
  const navigate = useNavigate();
  return (locale) => void navigate(withLocale(location, locale), { replace: true });
}

/** Names the other language. */
export function LanguageButton() {
  const { t } = useTranslation();
  const change = useSwitchLanguage();
  const other: Locale = useLocale() === 'en' ? 'zh' : 'en';
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px={8}
      lang={other}
      title={t('shell.language')}
      onClick={() => change(other)}
    >
      {languageNames[other]}
    </Button>
  );
}
