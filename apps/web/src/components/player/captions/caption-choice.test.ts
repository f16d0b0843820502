import { beforeEach, expect, it } from 'vitest';
import { findPreferredTrack, readCaptionChoice, saveCaptionChoice, selectTrack } from './caption-choice.ts';

const track = (language: string, isDefault = false) => ({ language, name: language, isDefault });
beforeEach(() => localStorage.clear());

it('stores a choice and ignores invalid data', () => {
  expect(readCaptionChoice()).toBeUndefined();
  saveCaptionChoice({ isOn: true, language: 'zh' });
  expect(readCaptionChoice()).toEqual({ isOn: true, language: 'zh' });
  localStorage.setItem('WEIR_CAPTIONS', '[7]');
  expect(readCaptionChoice()).toBeUndefined();
});

it('selects the owner default without a choice, else the chosen track', () => {
  const tracks = [track('de'), track('en', true)];
  expect(selectTrack(undefined, tracks)?.language).toBe('en');
  expect(selectTrack(undefined, [track('de')])).toBeUndefined();
  expect(selectTrack({ isOn: false, language: 'en' }, tracks)).toBeUndefined();
  expect(selectTrack({ isOn: true, language: 'de' }, tracks)?.language).toBe('de');
});

it('falls back to the closest language', () => {
  expect(findPreferredTrack('zh-Hant', [track('en', true), track('zh-Hans')])?.language).toBe('zh-Hans');
  expect(findPreferredTrack('fr', [track('de'), track('en', true)])?.language).toBe('en');
  expect(findPreferredTrack('fr', [track('de')])?.language).toBe('de');
  expect(findPreferredTrack('fr', [])).toBeUndefined();
});
