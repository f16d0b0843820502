/** `2026-03-01 08:05:09` in the browser's time zone. */
export function formatDateTime(at: Date): string {
  const day = [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].join('-');
  return `${day} ${formatClock(at)}`;
}

/** `08:05:09` in the browser's time zone. */
export function formatClock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join(':');
}

/** `2:05` or `1:02:05`: a position in a recording. */
export function formatPosition(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return [...(hours > 0 ? [hours, pad(minutes)] : [minutes]), pad(whole % 60)].join(':');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Browser's time zone, to show beside times. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Cached: creating a format takes longer than a hundred uses, and stream cards format figures every second. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** Decimal units, as disks are sold: `31.2 GB`. */
export function formatBytes(bytes: number, locale: string): string {
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return numberFormat(locale, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    // The short unit name of a byte has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 100 && power > 0 ? 1 : 0,
  }).format(value);
}

const durationUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Joins value and unit with a no-break space. Browsers write none in Chinese; this console does. */
export function formatUnit(value: number, unit: string, locale: string, decimals = 0): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: decimals } as const;
  return numberFormat(locale, options)
    .format(value)
    .replace(/(?<=\d)(?=\p{Script=Han})/u, '\u00a0');
}

/** Uses the two largest units: `3 days 4 hr`, `12 min 5 sec`. */
export function formatDuration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = durationUnits.findIndex(([, size]) => whole >= size);
  const from = first === -1 ? durationUnits.length - 1 : first;
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, size] of durationUnits.slice(from, from + 2)) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount === 0 && parts.length > 0) continue;
    parts.push(formatUnit(amount, unit, locale));
  }
  return parts.join(' ');
}

/** Uses the largest unit: `2 min. ago`. Times in the future (clock skew) count as now. */
export function formatAgo(at: Date, now: Date, locale: string): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const [unit, size] = durationUnits.find(([, one]) => seconds >= one) ?? ['second', 1];
  const style = { style: 'short', numeric: 'auto' } as const;
  return new Intl.RelativeTimeFormat(locale, style).format(-Math.floor(seconds / size), unit);
}

/** Chinese has no space after a full stop. Empty sentences are skipped. */
export function joinSentences(sentences: readonly string[], locale: string): string {
  return sentences.filter((sentence) => sentence !== '').join(locale === 'zh' ? '' : ' ');
}
