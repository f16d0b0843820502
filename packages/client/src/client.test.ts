import { authApi, overviewApi, systemApi } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { ApiError, Client } from './index.ts';

/** Fake fetch that returns one response and records the requests. */
function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const asked: { url: string; init: RequestInit }[] = [];
  const send = async (url: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(url), init });
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  return { asked, client: new Client({ baseUrl: 'http://weir', bearer: () => 'credential', fetch: send }) };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error as ApiError,
  );

describe('Client', () => {
  it('calls an endpoint and returns its data', async () => {
    const { asked, client } = answering(200, { code: 0, data: { version: '1' }, server: 5 });
    expect(await client.call(systemApi.versions)).toEqual({ version: '1' });
    expect(asked[0]).toMatchObject({
      url: 'http://weir/terraform/v1/mgmt/versions',
      init: { method: 'GET', credentials: 'omit', headers: { authorization: 'Bearer credential' } },
    });
  });

  it('returns an image, or data instead of one', async () => {
    const place = { app: 'live', stream: 'show' };
    const { asked, client } = answering(200, 'bytes', { 'content-type': 'image/jpeg' });
    const picture = await client.image(overviewApi.thumbnail, place);
    expect(picture instanceof Blob && (await picture.text())).toBe('bytes');
    expect(asked[0]?.init).toMatchObject({ method: 'POST', body: JSON.stringify(place) });
    const none = answering(200, { code: 0, data: { reason: 'no-video' } }, { 'content-type': 'application/json' });
    expect(await none.client.image(overviewApi.thumbnail, place)).toEqual({ reason: 'no-video' });
    const refused = answering(401, { code: 2001, data: { message: 'token' } });
    expect(await failureOf(refused.client.image(overviewApi.thumbnail, place))).toMatchObject({ code: 2001 });
  });

  it('omits credentials on request', async () => {
    const { asked, client } = answering(200, { code: 0, data: {} });
    await client.call(systemApi.envs, { locale: 'en' }, { authorized: false });
    expect(asked[0]?.init.headers).toEqual({
      accept: 'application/json, text/plain, */*',
      'content-type': 'application/json',
    });
    expect(asked[0]?.init.body).toBe('{"locale":"en"}');
  });

  it('parses code, message and retry delay of an error', async () => {
    const { client } = answering(429, { code: 2000, data: { message: 'wait' } }, { 'retry-after': '6' });
    const error = await failureOf(client.call(authApi.login, { password: 'x' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, code: 2000, message: 'wait', retryAfterSeconds: 6 });
  });

  it('keeps the response of a proxy in between', async () => {
    const { client } = answering(502, '<h1>Bad Gateway</h1>');
    expect(await failureOf(client.call(systemApi.versions))).toMatchObject({
      status: 502,
      code: undefined,
      message: 'Request failed with status code 502',
      body: '<h1>Bad Gateway</h1>',
    });
    const page = answering(200, '<!doctype html>');
    expect(await failureOf(page.client.call(systemApi.versions))).toMatchObject({ status: 200, code: undefined });
  });

  it('distinguishes an unreachable server from an aborted call', async () => {
    const client = new Client({ fetch: () => Promise.reject(new TypeError('fetch failed')) });
    expect(await failureOf(client.call(systemApi.versions))).toMatchObject({
      message: 'Network Error',
      status: undefined,
    });
    const aborted = client.call(systemApi.versions, {}, { signal: AbortSignal.abort() });
    expect((await failureOf(aborted)).message).toBe('Request aborted');
  });
});
