import type { EndedStream } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';

/** `Ended 11:14 after 32 sec`, with the date if on another day. */
export function useEndedText(): (ended: EndedStream) => string {
  const { t } = useTranslation();
  const locale = useLocale();
  return ({ publishedAt, endedAt }) => {
    const end = new Date(endedAt);
    const [day = '', clock = ''] = formatDateTime(end).split(' ');
    const isToday = day === formatDateTime(new Date()).split(' ')[0];
    const minute = clock.slice(0, 5);
    const seconds = (end.getTime() - Date.parse(publishedAt)) / 1000;
    return t('live.watch.ended', {
      time: isToday ? minute : `${day} ${minute}`,
      duration: formatDuration(seconds, locale),
    });
  };
}
