import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { requestProvider } from './provider-request.ts';

const key = 'sk-0123456789abcdef';
const api = '/terraform/v1/mgmt/openai';
let server: Awaited<ReturnType<typeof createTestApp>>;
let bearer: Record<string, string>;
let origin: string;
const asked: { path: string; authorization: string | undefined }[] = [];
const provider = createServer((req: IncomingMessage, res) => {
  asked.push({ path: req.url ?? '', authorization: req.headers.authorization });
  if (req.url?.startsWith('/away')) res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  else if (req.url?.startsWith('/large')) res.end(Buffer.alloc(2 * 1024 * 1024));
  else res.writeHead(req.headers.authorization === `Bearer ${key}` ? 200 : 401).end('{}');
});

beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  server = await createTestApp();
  bearer = { authorization: `Bearer ${(await server.setUp()).bearer}` };
});
afterAll(async () => {
  provider.close();
  await server.close();
});

const post = (path: string, body: object = {}) => server.post(path, body, bearer);
const save = (fields: object) =>
  post(`${api}/update`, { aiSecretKey: key, aiBaseURL: `${origin}/v1`, aiOrganization: 'org', ...fields });
const check = (fields: object) =>
  post('/terraform/v1/ai/transcript/check', { secretKey: key, baseURL: `${origin}/v1`, ...fields });

describe('the AI provider', () => {
  it('is saved, and its key is never given out', async () => {
    expect((await post(`${api}/query`)).data).toEqual({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' });
    expect((await save({})).code).toBe(0);
    expect((await post(`${api}/query`)).data).toEqual({
      aiSecretKey: '••••••••cdef',
      aiBaseURL: `${origin}/v1`,
      aiOrganization: 'org',
    });
  });

  it('keeps its key when the mask comes back, and uses it for the check', async () => {
    expect((await save({ aiSecretKey: '••••••••cdef', aiOrganization: '' })).code).toBe(0);
    expect((await check({ secretKey: '••••••••cdef' })).code).toBe(0);
    expect(asked.map(({ path }) => path)).toEqual(['/v1/models/whisper-1', '/v1/chat/completions']);
    expect(asked.every(({ authorization }) => authorization === `Bearer ${key}`)).toBe(true);
  });

  it('asks for the key again when the address names another host, port or scheme', async () => {
    for (const aiBaseURL of ['http://127.0.0.1:1/v1', 'http://evil.example/v1', origin.replace('http', 'https')]) {
      const refused = await save({ aiSecretKey: '••••••••cdef', aiBaseURL });
      expect([refused.code, refused.data.message]).toEqual([1004, expect.stringContaining('a new host')]);
      expect((await check({ secretKey: '••••••••cdef', baseURL: aiBaseURL })).data.message).toContain('a new host');
    }
    expect((await save({ aiSecretKey: '••••••••0000' })).code).toBe(1004);
    expect((await post(`${api}/query`)).data.aiBaseURL).toBe(`${origin}/v1`);
  });

  it.each([
    [{ aiSecretKey: '' }, 1000],
    [{ aiBaseURL: '' }, 1000],
    [{ aiBaseURL: 'file:///etc/passwd' }, 1004],
    [{ aiBaseURL: 'http://user:pass@host/v1' }, 1004],
    [{ aiBaseURL: 'http://host/v1?x=1' }, 1004],
    [{ aiSecretKey: 'a\r\nb' }, 1004],
  ])('refuses %j', async (fields, code) => expect((await save(fields)).code).toBe(code));

  it('says what the provider said, without the key', async () => {
    const wrong = await check({ secretKey: 'sk-wrong-wrong-wrong' });
    expect(wrong.data.message).toBe('query model whisper-1: the provider rejected the secret key (401)');
    const away = await check({ baseURL: `${origin}/away/v1` });
    expect(away.data.message).toContain('redirects are not followed');
    expect((await check({ baseURL: `${origin}/large/v1` })).data.message).toContain('larger than');
    expect((await check({ baseURL: 'http://127.0.0.1:1/v1' })).data.message).toContain('the connection was refused');
    expect((await check({ baseURL: 'http://169.254.169.254/v1' })).data.message).toContain('not allowed');
  });
});

describe('addresses', () => {
  it.each([
    'http://169.254.169.254/v1',
    'http://2852039166/v1',
    'http://0xa9fea9fe/v1',
    'http://[::ffff:a9fe:a9fe]/v1',
    'ftp://host/',
  ])('%s is refused however it is written', (url) =>
    expect(
      requestProvider(new OutgoingClient())(url, { method: 'GET', headers: {}, signal: AbortSignal.timeout(1000) }),
    ).rejects.toMatchObject({ kind: 'invalid_input' }),
  );
});
