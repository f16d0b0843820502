import { hookLimits } from '@weir/contract';
import { describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { isSignedBy, Receiver } from './receiver.fixture.ts';

const client = { client_id: 'c1', server_id: 'vid-1', ip: '198.51.100.7', app: 'live', stream: 'show' };
const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };

/** A server that tells a receiver everything. */
async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const [server, receiver] = await Promise.all([createReadyApp(options), Receiver.start()]);
  await server.call('mgmt/hooks/apply', { target: receiver.url, opaque: 'from me', all: true });
  const secret: string = (await server.call('hooks/srs/secret/query')).data.publish;
  const publish = (change: object = {}) =>
    server.hook('verify', { ...client, action: 'on_publish', param: `?secret=${secret}&user=ann`, ...change });
  const unpublish = (change: object = {}) => server.hook('verify', { ...client, action: 'on_unpublish', ...change });
  const query = async () => (await server.call('mgmt/hooks/query')).data;
  const deliveries = async () => (await server.call('mgmt/hooks/deliveries')).data.deliveries;
  return { ...server, receiver, publish, unpublish, query, deliveries, secret };
}

describe('callback settings', () => {
  it('start empty, and keep fields that a change leaves out', async () => {
    const { call } = await createReadyApp();
    const first = (await call('mgmt/hooks/query')).data;
    expect(first).toMatchObject({ target: '', opaque: '', all: false, verifyTls: true, ownNetwork: false });
    expect(first).toMatchObject({ req: '', res: '', error: '', waiting: 0, secret: expect.stringMatching(/^\w{64}$/) });
    await call('mgmt/hooks/apply', { target: ' https://receiver.test/x ', opaque: 'o', all: true, verifyTls: false });
    expect(await call('mgmt/hooks/apply', { all: false })).toMatchObject({ code: 0, data: null });
    expect((await call('mgmt/hooks/query')).data).toMatchObject({
      target: 'https://receiver.test/x',
      opaque: 'o',
      all: false,
      verifyTls: false,
      host: 'http://localhost:2022',
      secret: first.secret,
    });
  });

  it.each([
    [{ target: 'ftp://receiver.test/' }, 1004],
    [{ target: 'receiver.test' }, 1004],
    [{ target: 'file:///etc/passwd' }, 1004],
    [{ target: `http://receiver.test/${'x'.repeat(3000)}` }, 1004],
    [{ all: 'yes' }, 1004],
    [{ all: true, target: '' }, 1000],
  ])('refuse %j', async (change, code) => {
    const { call } = await createReadyApp();
    expect(await call('mgmt/hooks/apply', change)).toMatchObject({ status: 422, code });
    expect((await call('mgmt/hooks/query')).data).toMatchObject({ target: '', all: false });
  });

  it('revoke the permission for one machine when another is named', async () => {
    const { call } = await createReadyApp();
    const allowed = { verifyTls: false, ownNetwork: true };
    await call('mgmt/hooks/apply', { target: 'https://one.test/x', host: 'https://live.test', ...allowed });
    await call('mgmt/hooks/apply', { target: 'https://one.test/y' });
    expect((await call('mgmt/hooks/query')).data).toMatchObject(allowed);
    await call('mgmt/hooks/apply', { target: 'https://two.test/x' });
    const after = { verifyTls: true, ownNetwork: false, host: 'https://live.test' };
    expect((await call('mgmt/hooks/query')).data).toMatchObject(after);
  });

  it('get a new key on request', async () => {
    const { call } = await createReadyApp();
    const before = (await call('mgmt/hooks/query')).data.secret;
    const { secret } = (await call('mgmt/hooks/rotate')).data;
    expect(secret).not.toBe(before);
    expect((await call('mgmt/hooks/query')).data.secret).toBe(secret);
  });
});

describe('the example callback receiver', () => {
  it('accepts everyone, and fails on request', async () => {
    const { inject } = await createReadyApp();
    const url = '/terraform/v1/mgmt/hooks/example';
    expect((await inject({ method: 'GET', url: `${url}?fail=false` })).json()).toEqual({ code: 0, data: null });
    expect((await inject({ method: 'POST', url, payload: { action: 'on_publish' } })).statusCode).toBe(200);
    for (const fail of ['true', '1']) {
      const answer = await inject({ method: 'POST', url: `${url}?fail=${fail}` });
      expect([answer.statusCode, answer.json().code]).toEqual([500, 1]);
    }
  });
});

describe('on_publish', () => {
  it('asks the receiver when the secret is right, signed and without the secret', async () => {
    const { publish, receiver, query, secret } = await open();
    expect(await publish()).toMatchObject({ code: 0 });
    const [got] = receiver.received;
    expect(got?.body).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'on_publish',
      opaque: 'from me',
      ...place,
      param: '?secret=***&user=ann',
    });
    const state = await query();
    expect(got && isSignedBy(state.secret, got)).toBe(true);
    expect(got && isSignedBy('another key', got)).toBe(false);
    expect(state).toMatchObject({ req: got?.text, res: '{"code":0}', status: 200, error: '' });
    expect(JSON.stringify(state)).not.toContain(secret);
  });

  it('names the stream key of the publisher and never its value, as on_unpublish does', async () => {
    const { publish, unpublish, receiver, call } = await open();
    const { data } = await call('hooks/srs/keys/create', { name: 'Stage B', streams: ['live/show'] });
    expect(await publish({ param: `?secret=${data.secret}` })).toMatchObject({ code: 0 });
    await unpublish();
    await vi.waitFor(() => expect(receiver.actions).toEqual(['on_publish', 'on_unpublish']));
    expect(receiver.received.map(({ body }) => body.key)).toEqual(['Stage B', 'Stage B']);
    expect(JSON.stringify(receiver.received)).not.toContain(data.secret);
  });

  it('is not sent for a publisher without the secret, nor while events are off', async () => {
    const { publish, receiver, call } = await open();
    expect(await publish({ param: '?secret=wrong' })).toMatchObject({ status: 401 });
    await call('mgmt/hooks/apply', { all: false });
    expect(await publish()).toMatchObject({ code: 0 });
    expect(receiver.received).toHaveLength(0);
  });

  it('refuses the publisher with the reason of the receiver, and shows it to those waiting for the stream', async () => {
    const { publish, receiver, query, call, deliveries } = await open();
    receiver.answer = (response) => response.end('{"code":7,"data":{"message":"no subscription"}}');
    expect(await publish()).toMatchObject({
      status: 401,
      code: 3000,
      data: { message: 'the callback receiver rejected this stream: no subscription' },
    });
    expect(await query()).toMatchObject({ status: 200, error: 'the receiver responded with code 7: no subscription' });
    const { attempts } = (await call('mgmt/streams/attempts')).data;
    expect(attempts).toMatchObject([{ stream: 'show', reason: 'callback', address: '198.51.100.7' }]);
    const [{ request_id, state }] = await deliveries();
    expect(state).toBe('refused');
    expect(await call('mgmt/hooks/retry', { request_id })).toMatchObject({ status: 422 });
    expect(receiver.received).toHaveLength(1);
  });

  it('refuses when the receiver redirects, sends too much, or is away, and the state names which', async () => {
    const { publish, receiver, query } = await open();
    const away = 'the callback receiver could not be reached, so publishing is not allowed';
    receiver.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end();
    expect(await publish()).toMatchObject({ status: 401, data: { message: away } });
    expect(await query()).toMatchObject({ failure: 'redirect', fact: '302' });
    receiver.answer = (response) => response.end('x'.repeat(hookLimits.answerBytes + 1));
    expect(await publish()).toMatchObject({ status: 401, data: { message: away } });
    expect(await query()).toMatchObject({ failure: 'too-large', fact: String(hookLimits.answerBytes) });
    await receiver.close();
    expect(await publish()).toMatchObject({ status: 401, data: { message: away } });
    expect(await query()).toMatchObject({
      error: expect.stringContaining('the connection was refused'),
      failure: 'no-connection',
      fact: 'ECONNREFUSED',
      status: 0,
      res: '',
    });
    await receiver.open();
  });

  it('waits less than five seconds for a receiver that hangs', async () => {
    const { publish, receiver, query } = await open();
    receiver.answer = () => undefined;
    const startedMs = performance.now();
    expect(await publish()).toMatchObject({ status: 401 });
    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect(await query()).toMatchObject({ failure: 'timeout', fact: '4.5', error: 'no response within 4.5 seconds' });
  });
});

describe('callback events that need no permission', () => {
  it('have the bodies that receivers know', async () => {
    const { publish, unpublish, receiver, events } = await open();
    await publish();
    await unpublish();
    events.emit('record:began', { ...place, uuid: 'u1' });
    events.emit('record:ended', { ...place, uuid: 'u1', isDone: true, path: '/data/record/u1/index.mp4' });
    events.emit('record:ended', { ...place, uuid: 'u2', isDone: false, path: '/data/record/u2/index.mp4' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(5));
    const common = { request_id: expect.any(String), opaque: 'from me', ...place };
    const url = (uuid: string) => `http://localhost:2022/terraform/v1/hooks/record/hls/${uuid}/index.mp4`;
    expect(receiver.received.slice(1).map(({ body }) => body)).toEqual([
      { action: 'on_unpublish', ...common },
      { action: 'on_record_begin', ...common, uuid: 'u1' },
      {
        action: 'on_record_end',
        ...common,
        uuid: 'u1',
        artifact_code: 0,
        artifact_path: '/data/record/u1/index.mp4',
        artifact_url: url('u1'),
      },
      {
        action: 'on_record_end',
        ...common,
        uuid: 'u2',
        artifact_code: 100,
        artifact_path: '/data/record/u2/index.mp4',
        artifact_url: url('u2'),
      },
    ]);
  });

  it('wait for a receiver that is away and arrive in order, each with its first id', async () => {
    const { receiver, events, query, deliveries, call } = await open();
    await receiver.close();
    for (const uuid of ['a', 'b', 'c']) events.emit('record:began', { ...place, uuid });
    await vi.waitFor(async () => expect((await deliveries()).at(-1)).toMatchObject({ state: 'waiting', attempts: 1 }));
    expect(await query()).toMatchObject({ waiting: 3, error: expect.stringContaining('connection was refused') });
    const ids = (await deliveries()).map(({ request_id }: { request_id: string }) => request_id).reverse();
    await receiver.open();
    // The last one is asked for, the first one goes first.
    await call('mgmt/hooks/retry', { request_id: ids[2] });
    await vi.waitFor(() => expect(receiver.received.map(({ body }) => body.uuid)).toEqual(['a', 'b', 'c']));
    expect(receiver.received.map(({ body }) => body.request_id)).toEqual(ids);
    await vi.waitFor(async () => expect(await query()).toMatchObject({ waiting: 0, error: '', status: 200 }));
  });

  it('survive a restart of the server', async () => {
    const store = new MemoryStore();
    const first = await open({ store });
    await first.receiver.close();
    first.events.emit('record:began', { ...place, uuid: 'kept' });
    await vi.waitFor(async () => expect((await first.query()).error).toContain('connection was refused'));
    await first.app.close();
    await first.receiver.open();
    await createReadyApp({ store });
    await vi.waitFor(() => expect(first.receiver.received.map(({ body }) => body.uuid)).toEqual(['kept']));
  });

  it('are sent before the next start of their stream, once the receiver is back', async () => {
    const { receiver, publish, unpublish, deliveries } = await open();
    await publish();
    await receiver.close();
    await unpublish();
    await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ attempts: 1 }));
    await receiver.open();
    await publish({ client_id: 'c2' });
    expect(receiver.actions).toEqual(['on_publish', 'on_unpublish', 'on_publish']);
  });

  it('are given up when events are switched off, and can be sent by hand later', async () => {
    const { receiver, events, deliveries, call } = await open();
    await receiver.close();
    events.emit('record:began', { ...place, uuid: 'late' });
    await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ attempts: 1 }));
    await call('mgmt/hooks/apply', { all: false });
    await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ state: 'failed' }));
    await receiver.open();
    await call('mgmt/hooks/apply', { all: true, opaque: 'changed' });
    const [{ request_id }] = await deliveries();
    expect(await call('mgmt/hooks/retry', { request_id })).toMatchObject({ code: 0 });
    await vi.waitFor(() => expect(receiver.received[0]?.body).toMatchObject({ request_id, opaque: 'changed' }));
    await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ state: 'delivered' }));
    expect(await call('mgmt/hooks/retry', { request_id })).toMatchObject({ status: 422 });
    expect(await call('mgmt/hooks/retry', { request_id: 'unknown' })).toMatchObject({ status: 404 });
  });

  it('are dropped, oldest first, when there are too many', async () => {
    const { events, deliveries, receiver } = await open();
    for (let i = 0; i < hookLimits.finished + 20; i++) events.emit('record:began', { ...place, uuid: `u${i}` });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(hookLimits.finished + 20));
    const isFinished = ({ state }: { state: string }) => state === 'delivered';
    await vi.waitFor(async () => expect((await deliveries()).every(isFinished)).toBe(true));
    events.emit('record:began', { ...place, uuid: 'last' });
    await vi.waitFor(async () => expect((await deliveries())[0].req).toContain('last'));
    expect(await deliveries()).toHaveLength(hookLimits.finished + 1);
  });
});

describe('a test event', () => {
  it('is sent at once, also while events are off, and its answer is shown', async () => {
    const { call, receiver } = await open();
    await call('mgmt/hooks/apply', { all: false });
    expect(await call('mgmt/hooks/test')).toMatchObject({
      data: { action: 'on_test', state: 'delivered', status: 200, res: '{"code":0}', error: '' },
    });
    receiver.answer = (response) => response.writeHead(404).end('<h1>nothing</h1>');
    expect((await call('mgmt/hooks/test')).data).toMatchObject({ state: 'refused', status: 404 });
    expect(receiver.actions).toEqual(['on_test', 'on_test']);
  });

  it('needs a target', async () => {
    const { call } = await createReadyApp();
    expect(await call('mgmt/hooks/test')).toMatchObject({ status: 422, code: 1000 });
  });
});
