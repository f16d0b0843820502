import { SegmentedControl } from '@mantine/core';
import { type Locale, locales } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useLocale } from '../../lib/i18n.ts';
import { withLocale } from '../routing.ts';

/** Languages are listed in their own language. */
export const languageNames: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' };

/** Changes only the address. The address decides the language, and the page stays mounted. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const locale = useLocale();
  const location = useLocation();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shell.language')}
      data={locales.map((value) => ({ value, label: languageNames[value] }))}
      value={locale}
      transitionDuration={0}
      onChange={(next) => navigate(withLocale(location, next), { replace: true })}
    />
  );
}
