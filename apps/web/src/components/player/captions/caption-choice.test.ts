import { beforeEach, expect, it } from 'vitest';
import { preferred, readCaptionChoice, saveCaptionChoice, trackFor } from './caption-choice.ts';

const track = (language: string, isDefault = false) => ({ language, name: language, isDefault });
beforeEach(() => localStorage.clear());

it('a choice is remembered, and nonsense is none', () => {
  expect(readCaptionChoice()).toBeUndefined();
  saveCaptionChoice({ isOn: true, language: 'zh' });
  expect(readCaptionChoice()).toEqual({ isOn: true, language: 'zh' });
  localStorage.setItem('WEIR_CAPTIONS', '[7]');
  expect(readCaptionChoice()).toBeUndefined();
});

it('who never chose sees what the owner wants shown, and who chose sees that', () => {
  const tracks = [track('de'), track('en', true)];
  expect(trackFor(undefined, tracks)?.language).toBe('en');
  expect(trackFor(undefined, [track('de')])).toBeUndefined();
  expect(trackFor({ isOn: false, language: 'en' }, tracks)).toBeUndefined();
  expect(trackFor({ isOn: true, language: 'de' }, tracks)?.language).toBe('de');
});

it('a language that is not there gives way to its nearest', () => {
  expect(preferred('zh-Hant', [track('en', true), track('zh-Hans')])?.language).toBe('zh-Hans');
  expect(preferred('fr', [track('de'), track('en', true)])?.language).toBe('en');
  expect(preferred('fr', [track('de')])?.language).toBe('de');
  expect(preferred('fr', [])).toBeUndefined();
});
