import { expect, it } from 'vitest';
import { parseEspeakVoices } from './voices.ts';

it('parses one voice per language from the espeak-ng list', () => {
  const table = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  cmn             --/M      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 5  cmn-latn-pinyin --/M      Chinese_(Mandarin,_latin_as_Pinyin) sit/cmn-Latn-pinyin  (zh-cmn 5)(zh 5)
 5  de              --/M      German             gmw/de
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 5  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 5  ../evil         --/M      Evil               x
broken
`;
  expect(parseEspeakVoices(table)).toMatchObject([
    { id: 'espeak-zh', name: 'eSpeak, Chinese', languages: ['zh'], programName: 'cmn' },
    { id: 'espeak-de', languages: ['de'], programName: 'de' },
    { id: 'espeak-en', languages: ['en'], programName: 'en-gb' },
  ]);
});
