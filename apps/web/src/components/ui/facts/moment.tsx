import { formatAgo, formatDateTime, zoneName } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';

/** Local date and time, with the time zone on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={zoneName()}>
      {formatDateTime(new Date(at))}
    </time>
  );
}

/** Relative time as of the last refresh, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const locale = useLocale();
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${formatDateTime(date)} ${zoneName()}`}>
      {formatAgo(date, new Date(), locale)}
    </time>
  );
}
