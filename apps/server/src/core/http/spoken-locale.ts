import type { Locale } from '@weir/contract';

/** Language of a visitor, by the header of the browser. */
export function spokenLocale(header: string | undefined): Locale {
  const first = (header ?? '').split(',').find((part) => /^\s*(?:en|zh)\b/i.test(part));
  return first !== undefined && /^\s*zh/i.test(first) ? 'zh' : 'en';
}
