import { keyMask } from '@weir/contract';
import { describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { ChatService } from './services.fixture.ts';

const patience = { timeout: 30_000, interval: 50 };

async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const server = await createReadyApp({ mediaServer: new FakeMediaServer(), ...options });
  const save = async (channel: object) =>
    (await server.call('mgmt/notifications/save', { name: 'Team', ...channel })).data.id as string;
  const test = async (channel: object) => server.call('mgmt/notifications/test', { name: 'Team', ...channel });
  const list = async () => (await server.call('mgmt/notifications/query')).data.channels;
  /** A worker of the engine ends: an alert. */
  const fail = (worker: 'srt' | 'rtc') => {
    const last = { at: new Date().toISOString(), wanted: false, code: null, signal: 'SIGKILL', reason: 'killed' };
    server.mediaServer.workerExits = [...server.mediaServer.workerExits, { worker, count: 1, last }];
  };
  return { ...server, save, test, list, fail };
}

describe('a test message', () => {
  it.each([
    [{ url: 'http://169.254.169.254/latest' }, 'forbidden-address'],
    [{ url: 'http://127.0.0.1:1/' }, 'no-connection'],
    [{ url: 'http://name.invalid/' }, 'unknown-name'],
  ])('S14: to %j fails as %s', async (fields, failure) => {
    const { test } = await open();
    expect((await test({ service: 'discord', fields })).data).toMatchObject({ ok: false, status: 0, failure });
  });
});

describe('notification channels', () => {
  it('show no secret, and keep it when the mask is sent back, for the same server only', async () => {
    const { save, test, list, call } = await open();
    const chat = await ChatService.start(({ headers }) => ({ text: `seen ${headers['x-gotify-key']}` }));
    const fields = { server: chat.url, token: 'a-long-secret-token-1234' };
    const id = await save({ service: 'gotify', fields });
    const [shown] = await list();
    expect(shown).toMatchObject({ id, name: 'Team', enabled: true, last: null, open: 0 });
    expect(shown.fields).toEqual({ server: chat.url, token: `${keyMask}1234` });
    const tried = await test({ id, service: 'gotify', fields: shown.fields });
    expect(chat.received[0]?.headers['x-gotify-key']).toBe(fields.token);
    expect(tried.data.answer, 'the answer repeats the secret').toBe(`seen ${keyMask}`);
    await save({ id, service: 'gotify', name: 'Phone', fields: shown.fields });
    expect((await list())[0]).toMatchObject({ name: 'Phone', last: { ok: true }, fields: shown.fields });
    const elsewhere = {
      id,
      name: 'Phone',
      service: 'gotify',
      fields: { ...shown.fields, server: 'http://other.test' },
    };
    expect(await call('mgmt/notifications/save', elsewhere)).toMatchObject({ status: 422, code: 1004 });
    expect(await call('mgmt/notifications/test', elsewhere)).toMatchObject({ status: 422, code: 1004 });
    expect(await call('mgmt/notifications/remove', { id })).toMatchObject({ code: 0 });
    expect(await list()).toEqual([]);
    expect(await call('mgmt/notifications/remove', { id })).toMatchObject({ status: 404 });
  });

  it.each([
    [{ service: 'smoke' }, 1004],
    [{ service: 'slack', fields: {} }, 1000],
    [{ service: 'slack', fields: { url: 'file:///etc/passwd' } }, 1004],
    [{ service: 'telegram', fields: { token: 'a b', chat: '1' } }, 1004],
    [{ service: 'email', fields: { host: 'a b', port: '25', security: 'none', sender: 'a', recipients: 'b' } }, 1004],
    [{ service: 'email', fields: { host: 'a', port: '0', security: 'none', sender: 'a', recipients: 'b' } }, 1004],
    [{ service: 'email', fields: { host: 'a', port: '25', security: 'ssl', sender: 'a', recipients: 'b' } }, 1004],
    [
      { service: 'email', fields: { host: 'a', port: '25', security: 'none', sender: 'a\r\nBcc: c', recipients: 'b' } },
      1004,
    ],
    [{ service: 'slack', fields: { url: 'http://x.test' }, rules: { zone: 'Mars/North' } }, 1004],
    [{ service: 'slack', fields: { url: 'http://x.test' }, rules: { streams: ['a[b'] } }, 1004],
    [
      {
        service: 'slack',
        fields: { url: 'http://x.test' },
        rules: { quiet: { on: true, from: '25:00', to: '07:00' } },
      },
      1004,
    ],
  ])('are refused with %j', async (channel, code) => {
    const { call, list } = await open();
    const body = { name: 'Team', fields: {}, ...channel };
    expect(await call('mgmt/notifications/save', body)).toMatchObject({ status: 422, code });
    expect(await list()).toEqual([]);
  });
});

describe('alerts', () => {
  it('reach a channel once, also when the server restarts', async () => {
    const store = new MemoryStore();
    const chat = await ChatService.start();
    const first = await open({ store });
    await first.save({ service: 'webhook', fields: { url: chat.url }, rules: { topics: ['worker'] } });
    first.fail('srt');
    await vi.waitFor(() => expect(chat.received).toHaveLength(1), patience);
    expect(chat.received[0]?.body).toMatchObject({
      event: 'alerts',
      tone: 'warn',
      title: '[localhost] SRT had to be restarted',
      began: [{ topic: 'worker', subject: 'srt', severity: 'warn' }],
      ended: [],
    });
    await vi.waitFor(
      async () => expect((await first.list())[0]).toMatchObject({ open: 1, last: { ok: true } }),
      patience,
    );
    const { workerExits } = first.mediaServer;
    await first.close();
    const second = await open({ store });
    second.mediaServer.workerExits = workerExits;
    second.fail('rtc');
    await vi.waitFor(() => expect(chat.received).toHaveLength(2), patience);
    expect(chat.received[1]?.body.began).toMatchObject([{ subject: 'rtc' }]);
  });

  it('wait for a service that fails, and nothing of them is lost', async () => {
    const chat = await ChatService.start(() => ({ status: 500, text: 'try later' }));
    const { save, fail, list, call } = await open();
    const id = await save({ service: 'slack', fields: { url: chat.url }, rules: { topics: ['worker'] } });
    fail('srt');
    await vi.waitFor(
      async () => expect((await list())[0]?.last).toMatchObject({ ok: false, answer: 'try later' }),
      patience,
    );
    chat.answer = () => ({ text: 'ok' });
    fail('rtc');
    // Saving it again asks for another attempt now.
    const [{ name, service, fields, rules }] = await list();
    await call('mgmt/notifications/save', { id, name, service, fields, rules });
    await vi.waitFor(async () => expect((await list())[0]).toMatchObject({ last: { ok: true }, open: 2 }), patience);
    const text = chat.received.at(-1)?.body.text;
    expect(text).toContain('SRT had to be restarted');
    expect(text).toContain('WebRTC had to be restarted');
  });
});
