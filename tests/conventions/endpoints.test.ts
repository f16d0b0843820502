import { endpoints, errorTable } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../apps/server/src/app.fixture.ts';
import { read } from './source.fixture.ts';

let server: Awaited<ReturnType<typeof createTestApp>>;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

describe('the contract', () => {
  it('is served whole: the server has every endpoint', async () => {
    for (const { path, method } of endpoints) {
      const response = await server.inject({ method, url: path });
      expect([path, response.statusCode]).not.toEqual([path, 404]);
    }
  });

  it('names each endpoint once by path and method', () => {
    const names = endpoints.map(({ path, method }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has every error in its documentation', () => {
    const documented = read('docs/protocols/errors.md');
    for (const [kind, { code, status }] of Object.entries(errorTable)) {
      expect(documented).toMatch(new RegExp(`\\| ${code} \\| ${status} \\| \`${kind}\` \\|`));
    }
  });
});
