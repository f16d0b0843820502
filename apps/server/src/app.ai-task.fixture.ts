import { expect } from 'vitest';
import type { createReadyApp } from './app.ready.fixture.ts';

type Call = Awaited<ReturnType<typeof createReadyApp>>['call'];

/** Only what is stopped is reset, and only the task that is meant. `on`: settings that start it. */
export async function expectCarefulReset(call: Call, api: string, on: object): Promise<void> {
  const { uuid } = (await call(`${api}/query`)).data.task;
  expect((await call(`${api}/reset`, { uuid: 'other' })).data.message).toBe('invalid uuid');
  await call(`${api}/apply`, on);
  expect((await call(`${api}/reset`, { uuid })).data.message).toBe('can not reset when running');
  await call(`${api}/apply`, { ...on, all: false });
  const { data } = await call(`${api}/reset`, { uuid });
  expect(data.uuid).not.toBe(uuid);
  expect((await call(`${api}/query`)).data.task.uuid).toBe(data.uuid);
}
