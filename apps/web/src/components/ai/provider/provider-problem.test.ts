import { describe, expect, it } from 'vitest';
import { providerProblem } from './provider-problem.ts';

const saved = { secretKey: '••••••••cdef', baseURL: 'https://ai.example/v1', organization: '' };

describe('the AI provider form', () => {
  it.each([
    [{ secretKey: '' }, 'llm.noKey'],
    [{ baseURL: '' }, 'llm.noUrl'],
    [{ baseURL: 'https://ai.example' }, 'llm.badUrl'],
    [{ baseURL: 'ftp://ai.example/v1' }, 'llm.badUrl'],
    [{ baseURL: 'https://other.example/v1' }, 'llm.keyAgain'],
    [{ baseURL: 'http://ai.example/v1' }, 'llm.keyAgain'],
    [{ baseURL: 'https://other.example/v1', secretKey: 'new' }, undefined],
    [{ baseURL: 'https://ai.example/proxy/v1' }, undefined],
    [{}, undefined],
  ])('with %j says %s', (change, text) => {
    expect(providerProblem({ ...saved, ...change }, saved)?.text).toBe(text);
  });
});
