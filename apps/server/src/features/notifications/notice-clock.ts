import type { Language } from './problem-words.ts';

interface Place {
  readonly language: Language;
  /** Time zone; empty: the server's. */
  readonly zone: string;
}

const halfDayMs = 12 * 3600_000;
const locales: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' };

/** Hour and minute, with the date when it is not close. */
export function formatMoment(at: string | number, nowMs: number, { language, zone }: Place): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const isClose = Math.abs(nowMs - date.getTime()) < halfDayMs;
  return new Intl.DateTimeFormat(locales[language], {
    ...(!isClose && ({ year: 'numeric', month: 'short', day: 'numeric' } as const)),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
    ...(zone !== '' && { timeZone: zone }),
  }).format(date);
}

/** Minute of the day. */
export function minuteOfDay(atMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
    ...(zone !== '' && { timeZone: zone }),
  }).formatToParts(atMs);
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return partOf('hour') * 60 + partOf('minute');
}
