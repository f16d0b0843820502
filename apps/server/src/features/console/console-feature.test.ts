import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { beforeAll, describe, expect, it } from 'vitest';
import { HttpApp } from '../../core/http/http-app.ts';
import { StaticFiles } from '../../core/http/static-files.ts';
import { consoleFeature } from './console-feature.ts';

const log = createLog('test', 'error');
const authoriser = { authorise: () => Promise.reject(new Error('nobody is asked here')) };
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let http: HttpApp;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-console-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<title>console</title>');
  writeFileSync(join(directory, 'assets/main-1.js'), 'export {};');
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  http = new HttpApp(log, authoriser);
  const config = { https: { host: undefined, port: 2443 }, httpsElsewhere: false };
  consoleFeature({ files: await StaticFiles.list(directory), config }).routes(http);
});

const get = (url: string, headers: Record<string, string> = {}) => http.fastify.inject({ url, headers });

describe('an address under /mgmt', () => {
  it.each([
    '',
    '/',
    '/index.html',
    '/en',
    '/en/routers-settings?tab=beian',
    '/en/some/where/else',
    '/nothing',
    '/en/routers-x/a.b',
    '/en/%E5%9C%BA%E6%99%AF',
  ])('opens the console at %j, also after a reload', async (path) => {
    for (const headers of [browser, { accept: '*/*' }]) {
      const response = await get(`/mgmt${path}`, headers);
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers['cache-control']).toBe('no-cache');
    }
  });

  it('shows the console to a person who requests a file that is gone, and answers 404 to a script', async () => {
    expect((await get('/mgmt/assets/main-0.js', browser)).headers['content-type']).toContain('text/html');
    expect((await get('/mgmt/assets/main-0.js', { accept: '*/*' })).statusCode).toBe(404);
    const there = await get('/mgmt/assets/main-1.js');
    expect([there.statusCode, there.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it('sends files that hardly ever change without revalidation', async () => {
    const { statusCode, headers } = await get('/mgmt/favicon.svg');
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toMatch(/^public, max-age=600, stale-while-revalidate=\d+$/);
  });
});

it('lets the page test HTTPS of its own server, and connect nowhere else', async () => {
  const sources = async (host: string) => {
    const { headers } = await get('/mgmt', { ...browser, 'x-forwarded-host': host, 'x-forwarded-proto': 'http' });
    return /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  };
  expect(await sources('live.example.com:2022')).toBe("'self' https://live.example.com:2443");
  expect(await sources('[2001:db8::7]:2022')).toBe("'self' https://[2001:db8::7]:2443");
  expect(await sources('a b; script-src *')).toBe("'self'");
});
