import { authApi } from '@weir/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { client } from '../api.ts';
import { xsrfHeaders } from './xsrf.ts';

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: every browser supports this API
  document.cookie = 'XSRF-TOKEN=; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  vi.unstubAllGlobals();
});

function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: every browser supports this API
  document.cookie = text;
}

it('sends the XSRF cookie as a header with every call', async () => {
  setCookie('other=1');
  setCookie('XSRF-TOKEN=a%20b%3D');
  const send = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"code":0,"data":{"init":true}}'));
  vi.stubGlobal('fetch', send);
  await client.call(authApi.initState);
  expect(new Headers(send.mock.calls[0]?.[1]?.headers).get('x-xsrf-token')).toBe('a b=');
});

it('sends no XSRF header without the cookie, and an undecodable one unchanged', () => {
  expect(xsrfHeaders()).toEqual({});
  setCookie('MY-XSRF-TOKEN=x');
  expect(xsrfHeaders()).toEqual({});
  setCookie('XSRF-TOKEN=100%');
  expect(xsrfHeaders()).toEqual({ 'x-xsrf-token': '100%' });
});
