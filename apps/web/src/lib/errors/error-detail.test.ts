import { ApiError } from '@weir/client';
import { expect, it } from 'vitest';
import { describeError } from './error-detail.ts';

function answered(status: number, body: unknown): ApiError {
  const response = new Response(null, { status, statusText: 'Reason' });
  return new ApiError('a message', { url: '/path', response, body });
}

it('explains three codes with their own texts', () => {
  const kinds = [2001, 1007, 3001].map((code) => describeError(answered(500, { code, data: { message: 'm' } })).kind);
  expect(kinds).toEqual(['expired', 'store', 'https']);
});

it('returns all facts about other codes', () => {
  const body = { code: 1004, data: { message: 'a message' } };
  expect(describeError(answered(422, body))).toEqual({
    kind: 'code',
    said: 'invalid',
    url: '/path',
    status: '422 Reason',
    code: 1004,
    message: 'a message',
    body: JSON.stringify(body, null, 2),
  });
});

it.each([
  [500, 1, 'server'],
  [500, 1001, 'busy'],
  [422, 1000, 'missing'],
  [404, 1003, 'gone'],
  [405, 1004, 'refused'],
  [413, 1004, 'tooLarge'],
  [401, 2000, 'password'],
  [429, 2000, 'tooMany'],
  [418, 777, 'refused'],
])('describes status %d with code %d as %s', (status, code, said) => {
  expect(describeError(answered(status, { code, data: { message: 'm' } }))).toMatchObject({ kind: 'code', said });
});

it('returns URL, status and raw text of a response without a code', () => {
  expect(describeError(answered(502, 'Bad gateway'))).toEqual({
    kind: 'status',
    url: '/path',
    status: '502 Reason',
    body: 'Bad gateway',
  });
});

it('distinguishes a missing response from a client error', () => {
  expect(describeError(new ApiError('Network Error', { url: '/path' }))).toMatchObject({
    kind: 'network',
    message: 'Network Error',
  });
  expect(describeError(new TypeError('broken'))).toMatchObject({ kind: 'error', name: 'TypeError', message: 'broken' });
});

it('prints other thrown values', () => {
  expect(describeError({ a: 1 })).toEqual({ kind: 'text', text: '{\n  "a": 1\n}' });
  expect(describeError('words')).toEqual({ kind: 'text', text: 'words' });
  expect(describeError(undefined)).toEqual({ kind: 'unknown' });
});
