import { SegmentedControl } from '@mantine/core';
import { locales } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { languageNames, useSwitchLanguage } from './language-button.tsx';

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
