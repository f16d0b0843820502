import { formatDateTime, zoneName } from '../../lib/format.ts';

/** A point in time on the reader's clock; the zone shows on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={zoneName()}>
      {formatDateTime(new Date(at))}
    </time>
  );
}
