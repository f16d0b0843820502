import { formatUnit, numberFormat } from '../../lib/format.ts';

/** Milliseconds below a second, else seconds with one decimal. */
export function formatDelay(ms: number | undefined, locale: string): string | undefined {
  if (ms === undefined) return undefined;
  return ms < 1000 ? formatUnit(ms, 'millisecond', locale) : formatUnit(ms / 1000, 'second', locale, 1);
}

export function formatBitrate(kbps: number | undefined, locale: string): string | undefined {
  if (kbps === undefined) return undefined;
  const isMega = kbps >= 1000;
  // No-break space between value and unit.
  return `${formatNumber(isMega ? kbps / 1000 : kbps, locale, isMega ? 1 : 0)}\u00a0${isMega ? 'Mbit/s' : 'kbit/s'}`;
}

export function formatPercent(percent: number | undefined, locale: string, decimals = 1): string | undefined {
  if (percent === undefined) return undefined;
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: decimals }).format(percent / 100);
}

export function formatNumber(value: number, locale: string, decimals = 0): string {
  return numberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

/** Common spelling of a codec, profile included: `H264 High` → `H.264 High`. */
export function formatCodec(codec: string): string {
  return codec.replace(/^H26(?=[45])/, 'H.26');
}
