import { defaultLocale, type Locale, locales } from '@weir/contract';
import { readLanguage, readStorage, storageKeys, writeStorage } from './browser/browser-storage.ts';

const defaultStreamName = 'livestream';

export function readStreamName(): string {
  return readStorage(storageKeys.streamName) || defaultStreamName;
}

export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}

export function readLocale(): Locale {
  return storedLocale() ?? defaultLocale;
}

export function storedLocale(): Locale | undefined {
  const lang = readLanguage();
  return isLocale(lang) ? lang : undefined;
}

export function saveLocale(lang: Locale): void {
  writeStorage(storageKeys.locale, JSON.stringify({ lang }));
}
