import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { beforeAll, expect, it } from 'vitest';
import { HttpApp } from '../../core/http/http-app.ts';
import { StaticFiles } from '../../core/http/static-files.ts';
import { docsFeature } from './docs-feature.ts';

const log = createLog('test', 'error');
const authoriser = { authorise: () => Promise.reject(new Error('nobody is asked here')) };
let http: HttpApp;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-docs-'));
  mkdirSync(join(directory, 'docs/en'), { recursive: true });
  writeFileSync(join(directory, 'docs/en/start.html'), '<h1>Get started</h1>');
  writeFileSync(join(directory, 'index.html'), 'the console');
  http = new HttpApp(log, authoriser);
  docsFeature({ files: await StaticFiles.list(directory) }).routes(http);
});

it('opens the documentation in the language of the browser or of the address', async () => {
  const leadsTo = async (url: string, language: string) => {
    const response = await http.fastify.inject({ url, headers: { 'accept-language': language } });
    return [response.statusCode, response.headers.location];
  };
  expect(await leadsTo('/docs', 'zh-CN,en;q=0.8')).toEqual([302, '/docs/zh/start.html']);
  expect(await leadsTo('/docs/', 'de,en;q=0.8')).toEqual([302, '/docs/en/start.html']);
  expect(await leadsTo('/docs/en/?x=1', 'zh')).toEqual([302, '/docs/en/start.html']);
});

it('sends pages that load only files of this server, and nothing else of the console', async () => {
  const page = await http.fastify.inject({ url: '/docs/en/start.html?utm=1' });
  expect([page.statusCode, page.body]).toEqual([200, '<h1>Get started</h1>']);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  for (const url of [
    '/docs/en/nothing.html',
    '/docs/../index.html',
    '/docs/%2e%2e/index.html',
    '/docs/en/../../index.html',
  ])
    expect([url, (await http.fastify.inject({ url })).statusCode]).toEqual([url, 404]);
  expect((await http.fastify.inject({ method: 'POST', url: '/docs/en/start.html' })).statusCode).toBe(405);
});
