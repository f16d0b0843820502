import { afterAll, beforeAll, expect, it } from 'vitest';
import { Nginx } from '../nginx.fixture.ts';
import { programPost, Weir } from '../weir.fixture.ts';

const init = '/terraform/v1/mgmt/init';
const password = 'a stranger wants this';

let weir: Weir;
beforeAll(async () => {
  weir = await Weir.start();
});
afterAll(() => weir.close());

it.each([
  ['with its default settings', ''],
  ['with keep-alive connections', 'proxy_http_version 1.1; proxy_set_header Connection "";'],
])('S01: needs the code through a reverse proxy on this machine, %s', async (_name, settings) => {
  const nginx = await Nginx.start(weir.httpPort, settings);
  const own = { origin: weir.origin, referer: `${weir.origin}/mgmt/`, 'sec-fetch-site': 'same-origin' };
  try {
    for (const headers of [{}, own]) {
      const response = await fetch(nginx.origin + init, {
        method: 'POST',
        headers,
        body: JSON.stringify({ password }),
      });
      expect([response.status, await response.json()]).toMatchObject([403, { code: 2000 }]);
    }
    expect((await weir.post(init)).data).toEqual({ init: false });
  } finally {
    await nginx.close();
  }
});

it('S01: needs no code from a script on this machine, once', async () => {
  expect(await programPost(weir, init, { password: 'of the script' })).toMatchObject({ status: 200 });
  expect(await programPost(weir, init, { password: 'another one' })).toMatchObject({ status: 422, code: 1004 });
});
