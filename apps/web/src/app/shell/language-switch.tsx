import { Button, SegmentedControl } from '@mantine/core';
import { type Locale, locales } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useLocale } from '../../lib/i18n.ts';
import { withLocale } from '../routing.ts';

/** Languages are listed in their own language. */
export const languageNames: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' };

/** Changes only the address. The address decides the language, and the page stays mounted. */
function useSwitchLanguage(): (locale: Locale) => void {
  const location = useLocation();
  const navigate = useNavigate();
  return (locale) => void navigate(withLocale(location, locale), { replace: true });
}

export function LanguageSwitch() {
  const { t } = useTranslation();
  const change = useSwitchLanguage();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shell.language')}
      data={locales.map((value) => ({ value, label: languageNames[value] }))}
      value={useLocale()}
      transitionDuration={0}
      onChange={change}
    />
  );
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
