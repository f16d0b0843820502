import { describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';

const query = 'mgmt/limits/query';
const update = 'mgmt/limits/update';

describe('bit rate limits', () => {
  it('are 5000 Kbps until they are set, each separately', async () => {
    const { call } = await createReadyApp();
    expect((await call(query)).data).toEqual({ vlive: 5000, camera: 5000 });
    expect((await call(update, { vlive: 8000, camera: 3000 })).data).toBeNull();
    await call(update, { camera: 4000 });
    expect((await call(query)).data).toEqual({ vlive: 8000, camera: 4000 });
  });

  it('refuse invalid values, and stay as they are', async () => {
    const { call } = await createReadyApp();
    const { data: before } = await call(query);
    for (const fields of [{ vlive: 0 }, { camera: -1 }, { vlive: 1.5 }, { camera: '5000' }, { vlive: 1e9 }]) {
      const { code, data } = await call(update, fields);
      const [name = ''] = Object.keys(fields);
      expect([fields, code, data.message]).toEqual([fields, 1004, expect.stringContaining(name)]);
    }
    expect((await call(query)).data).toEqual(before);
  });

  it('need a credential', async () => {
    const { post } = await createReadyApp();
    expect((await post(`/terraform/v1/${query}`)).code).toBe(2001);
  });
});
