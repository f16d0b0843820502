/** Below a second in milliseconds, else in seconds with one decimal. */
export function delayText(ms: number | undefined, locale: string): string | undefined {
  if (ms === undefined) return undefined;
  return ms < 1000 ? withUnit(ms, 'millisecond', 0, locale) : withUnit(ms / 1000, 'second', 1, locale);
}

export function bitrateText(kbps: number | undefined, locale: string): string | undefined {
  if (kbps === undefined) return undefined;
  const isMega = kbps >= 1000;
  // A figure and its unit stay on one line.
  return `${plainNumber(isMega ? kbps / 1000 : kbps, locale, isMega ? 1 : 0)}\u00a0${isMega ? 'Mbit/s' : 'kbit/s'}`;
}

export function percentText(percent: number | undefined, locale: string): string | undefined {
  if (percent === undefined) return undefined;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100);
}

export function plainNumber(value: number, locale: string, decimals = 0): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

function withUnit(value: number, unit: 'second' | 'millisecond', decimals: number, locale: string): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: decimals } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}
