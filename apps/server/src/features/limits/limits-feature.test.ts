import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';

const api = '/terraform/v1/mgmt/limits';
let server: Awaited<ReturnType<typeof createTestApp>>;
let bearer: Record<string, string>;
beforeAll(async () => {
  server = await createTestApp();
  bearer = { authorization: `Bearer ${(await server.setUp()).bearer}` };
});
afterAll(() => server.close());

describe('bit rate limits', () => {
  it('are 5000 Kbps until somebody sets them, each for itself', async () => {
    expect((await server.post(`${api}/query`, {}, bearer)).data).toEqual({ vlive: 5000, camera: 5000 });
    expect((await server.post(`${api}/update`, { vlive: 8000, camera: 3000 }, bearer)).data).toBeNull();
    await server.post(`${api}/update`, { camera: 4000 }, bearer);
    expect((await server.post(`${api}/query`, {}, bearer)).data).toEqual({ vlive: 8000, camera: 4000 });
  });

  it.each([{ vlive: 0 }, { camera: -1 }, { vlive: 1.5 }, { camera: '5000' }, { vlive: 1e9 }])(
    'refuse %j and stay as they are',
    async (fields) => {
      const before = await server.post(`${api}/query`, {}, bearer);
      const refused = await server.post(`${api}/update`, fields, bearer);
      expect([refused.code, refused.data.message]).toEqual([
        1004,
        expect.stringContaining(Object.keys(fields)[0] ?? ''),
      ]);
      expect((await server.post(`${api}/query`, {}, bearer)).data).toEqual(before.data);
    },
  );

  it('need a credential', async () => {
    expect((await server.post(`${api}/query`)).code).toBe(2001);
  });
});
