import { describe, expect, it } from 'vitest';
import { expectCarefulReset } from '../../app.ai-task.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const path = (name: string) => `ai/ocr/${name}`;
const provider = { aiSecretKey: 'sk-0123456789abcdef0123', aiBaseURL: 'http://127.0.0.1:9/v1', aiOrganization: '' };
const on = { ...provider, all: true, aiProvider: 'openai', aiChatModel: 'gpt-4o', aiChatMaxWindow: 5 };
const image = '/terraform/v1/ai/ocr/image/1-image-00000000-0000-4000-8000-000000000001.jpg';

const open = () => createReadyApp({ mediaServer: new FakeMediaServer() });

describe('OCR', () => {
  it('is off at first, with the defaults of the specification and a task id that stays', async () => {
    const { call } = await open();
    const { data } = await call(path('query'));
    expect(data.config).toEqual({
      all: false,
      aiProvider: '',
      aiSecretKey: '',
      aiOrganization: '',
      aiBaseURL: '',
      aiChatEnabled: true,
      aiChatModel: '',
      aiChatPrompt: '',
      aiChatMaxWindow: 0,
      aiChatMaxWords: 0,
      stream: '',
      intervalSeconds: 0,
      skipUnchanged: true,
    });
    expect(data.task.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call(path('query'))).data.task.uuid).toBe(data.task.uuid);
  });

  it('starts and stops by apply, replaces the fields that clients know, and never returns the key', async () => {
    const { call } = await open();
    const added = { stream: ' live/a ', intervalSeconds: 10, skipUnchanged: false };
    await call(path('apply'), { ...on, ...added, uuid: 'x' });
    const { config } = (await call(path('query'))).data;
    expect(config).toMatchObject({
      all: true,
      aiSecretKey: '••••••••0123',
      aiChatEnabled: true,
      aiChatMaxWindow: 5,
      ...added,
      stream: 'live/a',
    });
    // An older client sends back what it was given, knows nothing of what was added, and leaves out what is off.
    await call(path('apply'), { ...on, all: false, aiSecretKey: '••••••••0123', aibaseurl: provider.aiBaseURL });
    expect((await call(path('query'))).data.config).toMatchObject({ ...added, stream: 'live/a', all: false });
    const elsewhere = { ...on, aiSecretKey: '••••••••0123', aiBaseURL: 'http://evil.test/v1' };
    expect((await call(path('apply'), elsewhere)).data.message).toContain('new host');
  });

  it('needs a provider only without built-in AI, and not while the model is off', async () => {
    const { call } = await open();
    const nobody = { ...on, aiSecretKey: '', aiBaseURL: '' };
    const refused = await call(path('apply'), nobody);
    expect([refused.status, refused.data.why]).toEqual([422, { kind: 'ai', fact: 'no-provider' }]);
    expect((await call(path('apply'), { ...nobody, aiChatEnabled: false })).status).toBe(200);
    await call('mgmt/openai/update', { aiSecretKey: 'sk-1', aiBaseURL: provider.aiBaseURL });
    expect((await call(path('apply'), nobody)).status).toBe(200);
    expect((await call(path('state'))).data).toMatchObject({
      provider: { by: 'provider', host: '127.0.0.1:9', cause: null },
      stream: '',
      taken: 0,
      called: 0,
      failed: 0,
      skipped: { unchanged: 0, interval: 0, off: 0, dropped: 0 },
      cause: null,
      readAt: '',
      cleanup: 0,
    });
  });

  it.each([
    ['aiSecretKey', 'Invalid secret key'],
    ['aiBaseURL', 'Invalid base url'],
  ])('does not start with its own provider whose %s is empty, and reports it as specified', async (field, message) => {
    const { call } = await open();
    const answer = await call(path('apply'), { ...on, [field]: '' });
    expect([answer.status, answer.data.message]).toEqual([422, message]);
    expect((await call(path('query'))).data.config.all).toBe(false);
    // Switching OCR off works with incomplete settings too.
    expect((await call(path('apply'), { ...on, [field]: '', all: false })).code).toBe(0);
  });

  it.each([
    ['aiChatPrompt', 'x'.repeat(4001)],
    ['aiChatMaxWindow', -1],
    ['intervalSeconds', 1e9],
    ['aiChatEnabled', 'yes'],
  ])('refuses a %s out of its bounds', async (field, value) => {
    const { call } = await open();
    const answer = await call(path('apply'), { ...on, [field]: value });
    expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining(field)]);
  });

  it('resets only a stopped task, and only the given one', async () => {
    const { call } = await open();
    await expectCarefulReset(call, 'ai/ocr', on);
  });

  it('shows empty queues as lists, by any method, to the administrator', async () => {
    const { call, inject } = await open();
    for (const name of ['live', 'ocr', 'callback', 'cleanup']) {
      expect((await call(path(`${name}-queue`))).data).toEqual({ segments: [], count: 0 });
      expect((await inject({ method: 'GET', url: `/terraform/v1/${path(`${name}-queue`)}` })).statusCode).toBe(401);
    }
  });

  it.each(['', '?token=', '?token=1.x', `?token=9999999999.${'A'.repeat(43)}`, '?token=a&token=b'])(
    'S13: gives no image to strangers, and does not reveal whether there is one: %s',
    async (query) => {
      const { inject } = await open();
      expect((await inject({ method: 'GET', url: `${image}${query}` })).statusCode).toBe(401);
    },
  );

  it.each(['1-image-x.jpg', '..%2f..%2fweir.db', '', 'a/b.jpg'])('S12: has nothing at image/%s', async (name) => {
    const { inject } = await open();
    const headers = { authorization: 'Bearer srs-v2-00000000000000000000000000000000' };
    const answer = await inject({ method: 'GET', url: `/terraform/v1/ai/ocr/image/${name}`, headers });
    expect(answer.statusCode).toBe(404);
  });
});
