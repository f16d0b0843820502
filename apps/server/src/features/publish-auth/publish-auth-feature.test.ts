import { endpoints, publishAuthApi } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const secretPath = 'hooks/srs/secret';

it('creates a secret of 32 hexadecimal digits once, and returns it on both paths', async () => {
  const { call } = await createReadyApp();
  const first = (await call(`${secretPath}/query`)).data;
  expect(first).toEqual({ publish: expect.stringMatching(/^[0-9a-f]{32}$/), pubNoAuth: false });
  expect((await call(secretPath)).data).toEqual(first);
});

it('keeps the secret across a restart', async () => {
  const store = new MemoryStore();
  const before = await (await createReadyApp({ store })).call(`${secretPath}/query`);
  const after = await (await createReadyApp({ store })).call(`${secretPath}/query`);
  expect(after.data).toEqual(before.data);
});

it('replaces the secret, and refuses the old one from then on', async () => {
  const { call, hook } = await createReadyApp();
  const publish = (secret: string) =>
    hook('verify', { action: 'on_publish', client_id: 'c1', app: 'live', stream: 'show', param: `?secret=${secret}` });
  const old: string = (await call(`${secretPath}/query`)).data.publish;
  expect(await call(`${secretPath}/update`, { secret: 'a-longer-secret.of~mine_1' })).toMatchObject({
    code: 0,
    data: null,
  });
  expect(await publish(old)).toMatchObject({ status: 401, code: 3000 });
  expect(await publish('a-longer-secret.of~mine_1')).toMatchObject({ status: 200, code: 0 });
});

it.each([
  [{}, 1000, 'secret is required'],
  [{ secret: '' }, 1000, 'secret is required'],
  [{ secret: 'short' }, 1004, 'secret: must be at least 8 characters'],
  [{ secret: 'x'.repeat(129) }, 1004, 'secret: must be at most 128 characters'],
  [{ secret: 'with a space & a sign' }, 1004, 'secret: may contain only letters, digits and - . _ ~'],
  [{ secret: 'trailing-newline-here\n' }, 1004, 'secret: may contain only letters, digits and - . _ ~'],
  [{ secret: 1234567890123456 }, 1004, 'secret: must be of type string'],
])('refuses %j and keeps the current secret', async (body, code, message) => {
  const { call } = await createReadyApp();
  const before = (await call(`${secretPath}/query`)).data;
  expect(await call(`${secretPath}/update`, body)).toMatchObject({ status: 422, code, data: { message } });
  expect((await call(`${secretPath}/query`)).data).toEqual(before);
});

it('switches the check off and on, and reports its state', async () => {
  const { call } = await createReadyApp();
  await call(`${secretPath}/disable`, { pubNoAuth: true });
  expect((await call(`${secretPath}/query`)).data.pubNoAuth).toBe(true);
  await call(`${secretPath}/disable`, {});
  expect((await call(`${secretPath}/query`)).data.pubNoAuth).toBe(false);
});

it('needs a credential', async () => {
  const { post } = await createReadyApp();
  for (const path of ['', '/query', '/update', '/disable']) {
    expect(await post(`/terraform/v1/${secretPath}${path}`)).toMatchObject({ status: 401, code: 2001 });
  }
});

it('answers 1007 while settings cannot be read', async () => {
  const store = new MemoryStore();
  const { call, hook } = await createReadyApp({ store });
  store.isBroken = true;
  expect(await call(`${secretPath}/query`)).toMatchObject({ status: 500, code: 1007 });
  expect(await hook('verify', { action: 'on_publish', client_id: 'c1', app: 'live', stream: 'show' })).toMatchObject({
    status: 500,
    code: 1007,
  });
});

it('returns the secret only in its own two calls', async () => {
  const mediaServer = new FakeMediaServer();
  const { call } = await createReadyApp({ mediaServer });
  const secret: string = (await call(`${secretPath}/query`)).data.publish;
  mediaServer.live = [liveStream({ param: `?secret=${secret}&vhost=studio` })];
  const others = endpoints.filter(
    ({ path }) => ![publishAuthApi.query.path, publishAuthApi.queryShort.path].includes(path),
  );
  for (const { path } of others) {
    const answer = await call(path.replace('/terraform/v1/', ''), { secret });
    expect([path, JSON.stringify(answer)]).not.toEqual([path, expect.stringContaining(secret)]);
  }
});

it('sends secrets for log redaction to the engine at its start and after each change', async () => {
  const { call, mediaServer } = await createReadyApp({ mediaServer: new FakeMediaServer() });
  const told = () => mediaServer.applied.flatMap(({ hiddenTexts }) => hiddenTexts ?? []);
  const first: string = (await call(`${secretPath}/query`)).data.publish;
  await vi.waitFor(() => expect(told()).toEqual([first]));
  await call(`${secretPath}/update`, { secret: 'tea4twos' });
  expect(told()).toEqual([first, 'tea4twos']);
  mediaServer.isAway = true;
  expect(await call(`${secretPath}/update`, { secret: 'tea4threes' })).toMatchObject({ code: 0 });
});

it('hides the secret in the report of a refused publisher, in its name too', async () => {
  const { call, hook, events } = await createReadyApp();
  const secret: string = (await call(`${secretPath}/query`)).data.publish;
  const refused: string[] = [];
  events.on('publish:refused', ({ stream }) => void refused.push(stream));
  for (const stream of [`x${secret}x`, `show-${secret.slice(0, -1)}-cam`, `show-${secret.toUpperCase()}`])
    await hook('verify', { action: 'on_publish', client_id: 'c1', app: 'live', stream, param: '' });
  await vi.waitFor(() => expect(refused).toEqual(['x[hidden]x', 'show-[hidden]-cam', 'show-[hidden]']));
});
