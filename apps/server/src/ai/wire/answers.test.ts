import { expect, it } from 'vitest';
import { parseAnswer, VoicesAnswer } from './answers.ts';

it.each([
  ['{"voices":["nova","onyx"]}', ['nova nova', 'onyx onyx']],
  ['{"voices":[{"id":"af","name":"Bella"},{"id":"am"}]}', ['af Bella', 'am am']],
  ['{"data":[{"name":"Anna"}],"object":"list"}', ['Anna Anna']],
  ['["nova"]', ['nova nova']],
])('lists of voices are read as servers write them: %s', (text, voices) => {
  expect(parseAnswer(VoicesAnswer, text).map(({ id, name }) => `${id} ${name}`)).toEqual(voices);
});

it.each(['', '7', '{"voices":[7]}', '{"voices":""}', `["${'x'.repeat(300)}"]`])('%s is no list of voices', (text) => {
  expect(() => parseAnswer(VoicesAnswer, text)).toThrow('cannot be read');
});
