import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { built, isAlive, until, Weir } from '../weir.fixture.ts';

let weir: Weir;

beforeAll(async () => {
  weir = await Weir.start({}, undefined, [], built);
});
afterAll(() => weir.close());

it('is what npm start runs: a page, a password and a call, by one file for each process', async () => {
  expect((await fetch(`${weir.origin}/mgmt/`)).status).toBe(200);
  const { bearer } = await weir.setUp();
  const headers = { Authorization: `Bearer ${bearer}` };
  expect(await weir.post('/terraform/v1/mgmt/streams/query', {}, headers)).toMatchObject({ code: 0 });
});

it('tells the places of a fault in the source', async () => {
  // A database without its tables is a fault that nobody expects.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${weir.dataDir}/weir.db`);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) database.exec(`DROP TABLE "${name}"`);
  database.close();
  await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  await until(() => /apps\/server\/src\/[a-z/-]+\.ts:\d+:\d+/.test(weir.output), 'a stack in the log');
  expect(weir.output).not.toMatch(/at [^\n]*dist\/main\.cjs/);
});

it('ends with everything it started', async () => {
  const planes = [weir.pidOf('engine'), weir.pidOf('server')];
  weir.process.kill('SIGTERM');
  await once(weir.process, 'exit');
  await until(() => !planes.some(isAlive), 'the planes are gone');
});
