import { endpoints, errorTable } from '@weir/contract';
import { openApiDocument } from '@weir/contract/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../apps/server/src/app.fixture.ts';
import { chineseSummaries } from '../../packages/contract/src/summaries-zh.ts';
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

  it('describes each endpoint in both languages, and no other', () => {
    const names = endpoints.map(({ path, method }) => `${method} ${path.replace('/terraform/v1', '')}`);
    expect(names.filter((name) => !chineseSummaries[name])).toEqual([]);
    expect(Object.keys(chineseSummaries).filter((name) => !names.includes(name))).toEqual([]);
    const isChinese = (text: string) => /\p{Script=Han}/u.test(text) && !/\p{Script=Han}[,;!?]/u.test(text);
    expect(Object.values(chineseSummaries).filter((text) => !isChinese(text))).toEqual([]);
    const { paths } = openApiDocument('1.0.0', 'zh');
    expect(paths['/terraform/v1/dubbing/list']?.post?.summary).toBe('列出配音项目，最新的在前');
  });

  it('has every error in its documentation', () => {
    const documented = read('docs/protocols/errors.md');
    for (const [kind, { code, status }] of Object.entries(errorTable)) {
      expect(documented).toMatch(new RegExp(`\\| ${code} \\| ${status} \\| \`${kind}\` \\|`));
    }
  });
});
