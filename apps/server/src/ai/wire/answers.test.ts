import { expect, it } from 'vitest';
import { parseAnswer, VoicesAnswer } from './answers.ts';

it.each([
  ['{"voices":["nova","onyx"]}', ['nova nova', 'onyx onyx']],
  ['{"voices":[{"id":"af","name":"Bella"},{"id":"am"}]}', ['af Bella', 'am am']],
  ['{"data":[{"name":"Anna"}],"object":"list"}', ['Anna Anna']],
  ['["nova"]', ['nova nova']],
])('reads a list of voices in the form of each server: %s', (text, voices) => {
  expect(parseAnswer(VoicesAnswer, text).map(({ id, name }) => `${id} ${name}`)).toEqual(voices);
});

it.each(['', '7', '{"voices":[7]}', '{"voices":""}', `["${'x'.repeat(300)}"]`])(
  'refuses %s as a list of voices',
  (text) => {
    expect(() => parseAnswer(VoicesAnswer, text)).toThrow('cannot be read');
  },
);
