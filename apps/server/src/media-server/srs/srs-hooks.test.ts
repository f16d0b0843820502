import { createLog } from '@weir/plane';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SrsHooks } from './srs-hooks.ts';

const log = createLog('test', 'error');

async function open() {
  const seen: [string, unknown][] = [];
  const hooks = new SrsHooks({
    listen: { host: '127.0.0.1', port: 0 },
    token: 'the-token',
    log,
    route: (request, response) => {
      seen.push([request.url ?? '', request.headers['x-weir-hook']]);
      response.end('{"code":0}');
    },
  });
  await hooks.open();
  onTestFinished(() => hooks.close());
  const post = async (path: string) =>
    (await fetch(`http://127.0.0.1:${hooks.port}${path}`, { method: 'POST' })).status;
  return { hooks, seen, post };
}

it('passes hooks with the token of the engine to the API', async () => {
  const { seen, post } = await open();
  expect([await post('/the-token/client'), await post('/the-token/segment')]).toEqual([200, 200]);
  expect(seen).toEqual([
    ['/terraform/v1/hooks/srs/verify', 'the-token'],
    ['/terraform/v1/hooks/srs/hls', 'the-token'],
  ]);
});

it.each([
  '/',
  '/client',
  '//client',
  '/wrong/client',
  '/the-token',
  '/the-token/client/',
  '/the-token/client?x=1',
  '/the-token/terraform/v1/mgmt/status',
  '/terraform/v1/hooks/srs/verify',
])('answers nothing at %s', async (path) => {
  const { seen, post } = await open();
  expect(await post(path)).toBe(404);
  expect(seen).toEqual([]);
});

it('names the variable when its port is in use', async () => {
  const { hooks } = await open();
  const listen = { host: '127.0.0.1', port: hooks.port };
  const second = new SrsHooks({ listen, token: 't', log, route: vi.fn() });
  await expect(second.open()).rejects.toThrow(/^Port \d+ could not be opened \(EADDRINUSE\): check WEIR_SRS_HOOKS\.$/);
});
