import { demoPassword, endpoints, isDemoRead } from '@weir/contract';
import { expect, it, onTestFinished } from 'vitest';
import type * as z from 'zod';
import { createTestApp } from './app.fixture.ts';
import { MemoryStore } from './core/store/memory-store.ts';
import type { Collection } from './core/store/store.ts';

const demoKey = 'a'.repeat(32);

/** Notes what is written. */
class CountingStore extends MemoryStore {
  writes: string[] = [];

  override collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>> {
    const inner = super.collection(name, schema);
    const noted = <T>(result: T): T => {
      this.writes.push(name);
      return result;
    };
    return {
      ...inner,
      put: (key, value) => noted(inner.put(key, value)),
      insert: (key, value) => noted(inner.insert(key, value)),
      update: (key, change) => noted(inner.update(key, change)),
      delete: (key) => noted(inner.delete(key)),
      apply: (changes) => noted(inner.apply(changes)),
    };
  }
}

async function openDemo() {
  const store = new CountingStore();
  const app = await createTestApp({ env: { WEIR_DEMO: demoKey, MGMT_PASSWORD: demoPassword }, store });
  onTestFinished(app.close);
  const { data } = await app.post('/terraform/v1/mgmt/login', { password: demoPassword });
  const headers = { authorization: `Bearer ${data.token}` };
  return { ...app, store, headers };
}

const guarded = endpoints.filter(({ access }) => access !== 'public');
/** Body that names what a call of this kind may change. */
const body = {
  uuid: 'x',
  action: 'update',
  all: true,
  platform: 'bilibili',
  server: 'rtmp://a.invalid/b',
  secret: 'c',
};

it('lets visitors of a demonstration read, and refuses every other call of the contract', async () => {
  const { inject, store, headers } = await openDemo();
  const refused: string[] = [];
  for (const { path } of guarded) {
    const url = path.replaceAll(/:(\w+)/g, '1');
    store.writes = [];
    const response = await inject({ method: 'POST', url, payload: body, headers });
    const isRefused = response.json().code === 3002;
    expect([path, isRefused]).toEqual([path, !isDemoRead(path, body)]);
    if (!isRefused) continue;
    refused.push(path);
    expect([path, store.writes]).toEqual([path, []]);
  }
  expect(refused.length).toBeGreaterThan(guarded.length / 2);
});

it('writes nothing for any call that a demonstration allows', async () => {
  const { inject, store, headers } = await openDemo();
  const allowed = guarded.filter(({ path }) => isDemoRead(path, {}) && !path.endsWith('/events'));
  expect(allowed.length).toBeGreaterThan(50);
  // Some secrets are made when they are read for the first time.
  for (const round of ['first', 'second']) {
    for (const { path } of allowed) {
      store.writes = [];
      await inject({ method: 'POST', url: path, payload: {}, headers });
      if (round === 'second') expect([path, store.writes]).toEqual([path, []]);
    }
  }
});

it('refuses changes by other ways: the API secret, the API of SRS, and another password', async () => {
  const { post, inject, headers } = await openDemo();
  const secret = (await post('/terraform/v1/mgmt/secret/query', {}, headers)).data as string;
  const asScript = { authorization: `Bearer ${secret}` };
  expect((await post('/terraform/v1/mgmt/beian/update', { beian: 'title', text: 'x' }, asScript)).status).toBe(403);
  const kick = await inject({ method: 'DELETE', url: '/api/v1/clients/1', headers });
  expect(kick.json().code).toBe(3002);
  const init = await post('/terraform/v1/mgmt/init', { password: 'another password' });
  expect(init.code).not.toBe(0);
});

it('admits only publishers with the key of the demonstration', async () => {
  const { hook, post, headers } = await openDemo();
  const publish = (param: string) =>
    hook('verify', {
      action: 'on_publish',
      client_id: 'c1',
      ip: '127.0.0.1',
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 'show',
      param,
      server_id: 's',
    });
  const { publish: shown } = (await post('/terraform/v1/hooks/srs/secret/query', {}, headers)).data as {
    publish: string;
  };
  expect((await publish(`?secret=${shown}`)).code).not.toBe(0);
  expect((await publish(`?secret=${demoKey}`)).code).toBe(0);
});

it('lets the program that runs the demonstration change settings, and nobody without a demonstration', async () => {
  const { post } = await openDemo();
  const driver = { authorization: `Bearer ${demoKey}` };
  expect((await post('/terraform/v1/mgmt/beian/update', { beian: 'title', text: 'Demo' }, driver)).code).toBe(0);
  const usual = await createTestApp();
  onTestFinished(usual.close);
  await usual.setUp();
  expect((await usual.post('/terraform/v1/mgmt/status', {}, { authorization: 'Bearer ' })).status).toBe(401);
  expect((await usual.post('/terraform/v1/mgmt/envs')).data.isDemo).toBeUndefined();
});
