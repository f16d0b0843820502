import { expect, it } from 'vitest';
import { judgeAnswer } from './hook-answer.ts';

it.each([
  [200, '0', true, ''],
  [200, '{"code":0}', true, ''],
  [200, '{}', true, ''],
  [200, '{"code":0,"data":null}', true, ''],
  [201, '{"code":0}', false, 'the receiver responded with status 201 instead of 200'],
  [204, '', false, 'the receiver responded with status 204 instead of 200'],
  [
    500,
    '{"code":1,"data":{"message":"no money"}}',
    false,
    'the receiver responded with status 500 instead of 200: no money',
  ],
  [200, '', false, 'the response is neither 0 nor a JSON object'],
  [200, 'ok', false, 'the response is neither 0 nor a JSON object'],
  [200, '1', false, 'the response is neither 0 nor a JSON object'],
  [200, '[0]', false, 'the response is neither 0 nor a JSON object'],
  [200, 'null', false, 'the response is neither 0 nor a JSON object'],
  [200, '{"code":"0"}', false, 'the receiver responded with code 0'],
  [200, '{"code":403,"msg":"not\\r\\nyou\\u0000"}', false, 'the receiver responded with code 403: not you'],
])('answers %i with %j: accepted is %s', (status, body, isAccepted, error) => {
  const verdict = judgeAnswer(status, Buffer.from(body));
  expect(verdict).toMatchObject({ isAccepted, error });
  expect(verdict.failure === '').toBe(isAccepted);
  expect(() => JSON.parse(verdict.res)).not.toThrow();
});

it.each([
  [500, '{"code":1,"data":{"message":"no money"}}', { failure: 'status', fact: '500', said: 'no money' }],
  [200, '{"code":"a long code of a stranger","msg":"x"}', { failure: 'code', fact: 'a long code of a str', said: 'x' }],
  [200, '[]', { failure: 'answer', fact: '', said: '' }],
])('reports %i with %s as values for any language', (status, body, outcome) =>
  expect(judgeAnswer(status, Buffer.from(body))).toMatchObject(outcome),
);

it('passes on only a short piece of the answer of a receiver', () => {
  const answer = JSON.stringify({ code: 1, message: 'x'.repeat(10_000) });
  expect(judgeAnswer(200, Buffer.from(answer)).error.length).toBeLessThan(300);
});
