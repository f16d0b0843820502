import type { Locale } from '@weir/contract';

const dayMs = 86_400_000;

export function formatClock(ms: number, locale: Locale): string {
  return new Intl.DateTimeFormat(tagOf(locale), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms);
}

/** Day and time: the day of the week within six days, else the date; nothing of the kind today. */
export function formatDay(ms: number, nowMs: number, locale: Locale): string {
  const time = formatClock(ms, locale);
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  if (isToday) return locale === 'zh' ? `今天 ${time} ` : `today at ${time}`;
  const isNear = ms - nowMs < 6 * dayMs;
  const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  const date = new Intl.DateTimeFormat(tagOf(locale), {
    ...(isNear ? { weekday: 'long' } : { month: 'long', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) }),
  }).format(ms);
  return locale === 'zh' ? `${date} ${time} ` : `${isNear ? '' : 'on '}${date} at ${time}`;
}

function tagOf(locale: Locale): string {
  return locale === 'zh' ? 'zh-CN' : 'en-GB';
}
