import { expect, it } from 'vitest';
import { foldedText, marksIn, toMatchExpression } from './folded-text.ts';

it('compares without case, accents and punctuation, and letter by letter in languages without spaces', () => {
  expect(foldedText('  Überraschung, “Élan” – don’t! ')).toBe('uberraschung elan don t');
  expect(foldedText('大家好, hello世界2')).toBe('大 家 好 hello 世 界 2');
  expect(foldedText('u\u0308ber ﬁne Ⅳ')).toBe('uber fine iv');
  expect(foldedText('สวัสดี')).toBe('ส ว ส ด');
  expect(foldedText('?!… \0')).toBe('');
});

it.each([
  ['hello world', '"hello"* AND "world"*'],
  ['世界', '"世 界"*'],
  ['开始 世界', '"开 始"* AND "世 界"*'],
  ['直播的时间', '("直 播 的 时 间"* OR ("直 播"* AND "时 间"*))'],
  ['看直播(回放', '("看 直 播 回 放"* OR ("看 直 播"* AND "回 放"*))'],
  ['"hello" OR NOT (x* NEAR y) text:z -a ^b', undefined],
  ['\0', ''],
  ['" * \' ; --', ''],
])('splits %j into words, and nothing else', (query, match) => {
  if (match !== undefined) expect(toMatchExpression(query)).toBe(match === '' ? undefined : match);
  expect(toMatchExpression(query) ?? '').toMatch(/^([( ]|AND|OR|"[\p{L}\p{N} ]+"\*|\))*$/u);
});

it('searches for no more than a handful of words', () => {
  expect(toMatchExpression('a '.repeat(100_000))?.split(' AND ')).toHaveLength(16);
});

it('marks matches in the text as it was written', () => {
  const marked = (text: string, query: string) => marksIn(text, query).map(([from, to]) => text.slice(from, to));
  expect(marked('The Élan of the élans', 'elan')).toEqual(['Élan', 'élan']);
  expect(marked('今天大家好世界', '大家好')).toEqual(['大家好']);
  expect(marked('直播明天开始，时间是八点', '直播的时间')).toEqual(['直播', '时间']);
  expect(marked('today, to day', 'to DAY')).toEqual(['to', 'to', 'day']);
  expect(marked('😀 hello 😀 hello', 'hell')).toEqual(['hell', 'hell']);
  expect(marked('ﬁne u\u0308ber', 'uber fi')).toEqual(['ﬁ', 'u\u0308ber']);
  expect(marked('yellow', 'hell ell')).toEqual([]);
  expect(marked('aaa aab', 'a aa')).toEqual(['aa', 'aa']);
});
