interface CalendarEvent {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Full URL of the watch page. */
  readonly url: string;
  readonly startsAt: string;
  /** Empty: an hour later. */
  readonly endsAt: string;
  readonly nowMs: number;
}

const hourMs = 3_600_000;
const lineBytes = 75;

/** An event as calendars import it (RFC 5545). Times are in UTC; each calendar shows its own zone. */
export function calendarFile({ id, title, description, url, startsAt, endsAt, nowMs }: CalendarEvent): string {
  const startMs = Date.parse(startsAt);
  const givenMs = endsAt === '' ? Number.NaN : Date.parse(endsAt);
  const endMs = givenMs > startMs ? givenMs : startMs + hourMs;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Weir//Watch page//EN',
    'BEGIN:VEVENT',
    `UID:${id}@weir`,
    `DTSTAMP:${utc(nowMs)}`,
    `DTSTART:${utc(startMs)}`,
    `DTEND:${utc(endMs)}`,
    `SUMMARY:${escaped(title)}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
    `URL:${url}`,
    `LOCATION:${escaped(url)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

function escaped(text: string): string {
  const plain = text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\r|\n/g, '\\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what ends a line, or has no place in a text.
  return plain.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
}

/** Lines are 75 bytes at most; the rest follows after a blank. */
function folded(line: string): string {
  let bytes = 0;
  let text = '';
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (bytes + size > lineBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += sign;
    bytes += size;
  }
  return text;
}
