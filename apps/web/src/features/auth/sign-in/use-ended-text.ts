import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { joinSentences } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { KeptWorkContext } from '../../../lib/kept-work.ts';

/** What to say to somebody whose session has ended: the pages they had open are kept, if there were any. */
export function useEndedText(): string {
  const { t } = useTranslation();
  const locale = useLocale();
  const isKept = useContext(KeptWorkContext);
  return joinSentences([t('login.endedText'), isKept ? t('login.endedKept') : ''], locale);
}
