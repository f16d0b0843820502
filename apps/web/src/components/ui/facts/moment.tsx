import { formatAgo, formatDateTime, zoneName } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';

/** A point in time on the reader's clock; the zone shows on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={zoneName()}>
      {formatDateTime(new Date(at))}
    </time>
  );
}

/** How long ago that was, as of the last refresh of what it stands in; the exact time shows on hover. */
export function Ago({ at }: { at: string }) {
  const locale = useLocale();
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${formatDateTime(date)} ${zoneName()}`}>
      {formatAgo(date, new Date(), locale)}
    </time>
  );
}
