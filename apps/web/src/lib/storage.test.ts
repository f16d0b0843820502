import { describe, expect, it } from 'vitest';
import { storageKeys } from './browser/browser-storage.ts';
import { parseCredentials } from './browser/parse-credentials.ts';
import { readLocale, readStreamName, saveLocale } from './storage.ts';

describe('parseCredentials', () => {
  it.each([
    [
      { token: 't', createAt: '', expireAt: '', bearer: 'b' },
      { token: 't', bearer: 'b' },
    ],
    [{ token: 't' }, { token: 't', bearer: 't' }],
    ['bare', { token: 'bare', bearer: 'bare' }],
    ['', undefined],
    [{ init: false }, undefined],
    [null, undefined],
  ])('reads %o', (stored, credentials) => {
    expect(parseCredentials(stored)).toEqual(credentials);
  });
});

describe('readLocale', () => {
  it('defaults to English', () => {
    expect(readLocale()).toBe('en');
    localStorage.setItem(storageKeys.locale, '{"lang":"fr"}');
    expect(readLocale()).toBe('en');
    localStorage.setItem(storageKeys.locale, 'zh');
    expect(readLocale()).toBe('en');
  });

  it('returns the saved language', () => {
    saveLocale('zh');
    expect(localStorage.getItem('ORYX_LOCALE')).toBe('{"lang":"zh"}');
    expect(readLocale()).toBe('zh');
  });
});

it('uses livestream as default stream name', () => {
  expect(readStreamName()).toBe('livestream');
  localStorage.setItem('SRS_STREAM_NAME', 'abcdef');
  expect(readStreamName()).toBe('abcdef');
});
