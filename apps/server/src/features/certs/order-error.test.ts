import { expect, it } from 'vitest';
import { parseProblem } from './order-error.ts';

const type = (name: string) => `urn:ietf:params:acme:error:${name}`;

it.each([
  ['dns', 'dns'],
  ['connection', 'connection'],
  ['unauthorized', 'elsewhere'],
  ['rateLimited', 'rate-limited'],
  ['caa', 'caa'],
  ['rejectedIdentifier', 'rejected'],
  ['serverInternal', 'authority'],
  ['userActionRequired', 'other'],
])('reads %s as %s, in a request and in a challenge', (name, fault) => {
  const problem = { type: type(name), detail: 'their words', status: 400 };
  expect(parseProblem(problem)).toEqual({ fault, detail: 'their words' });
  expect(parseProblem({ type: 'http-01', status: 'invalid', error: problem })).toEqual({
    fault,
    detail: 'their words',
  });
});

it.each([undefined, null, '', 'text', 7, {}, { type: 'http-01' }, { error: 'no' }, { type: 'about:blank' }])(
  'finds no problem in %j',
  (answer) => {
    expect(parseProblem(answer)).toBeUndefined();
  },
);
