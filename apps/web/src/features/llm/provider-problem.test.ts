import { describe, expect, it } from 'vitest';
import { providerProblem } from './provider-problem.ts';

const saved = { aiSecretKey: '••••••••cdef', aiBaseURL: 'https://ai.example/v1', aiOrganization: '' };

describe('the AI provider form', () => {
  it.each([
    [{ aiSecretKey: '' }, 'llm.noKey'],
    [{ aiBaseURL: '' }, 'llm.noUrl'],
    [{ aiBaseURL: 'https://ai.example' }, 'llm.badUrl'],
    [{ aiBaseURL: 'ftp://ai.example/v1' }, 'llm.badUrl'],
    [{ aiBaseURL: 'https://other.example/v1' }, 'llm.keyAgain'],
    [{ aiBaseURL: 'http://ai.example/v1' }, 'llm.keyAgain'],
    [{ aiBaseURL: 'https://other.example/v1', aiSecretKey: 'new' }, undefined],
    [{ aiBaseURL: 'https://ai.example/proxy/v1' }, undefined],
    [{}, undefined],
  ])('with %j says %s', (change, text) => {
    expect(providerProblem({ ...saved, ...change }, saved)?.text).toBe(text);
  });
});
