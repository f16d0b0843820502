import { expect, it } from 'vitest';
import { findVoices } from './voice-list.tsx';

const voices = [
  { id: 'flite:slt', name: 'flite SLT', languages: ['en'] },
  { id: 'pico:de-DE', name: 'Pico', languages: ['de'] },
  { id: 'zf_xiaoxiao', name: 'Xiaoxiao' },
];
const nameOf = (code: string) => ({ en: 'English', de: 'Deutsch' })[code] ?? code;
const find = (search: string) => findVoices(voices, search, nameOf).map(({ id }) => id);

it('finds voices by parts of their name, id and language', () => {
  expect(find('')).toHaveLength(3);
  expect(find('deut')).toEqual(['pico:de-DE']);
  expect(find('ENGLISH slt')).toEqual(['flite:slt']);
  expect(find('zf_')).toEqual(['zf_xiaoxiao']);
  expect(find('english pico')).toEqual([]);
});
