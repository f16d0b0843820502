import { onTestFinished } from 'vitest';
import { createTestApp } from './app.fixture.ts';

const apiSecret = 'srs-v2-00000000000000000000000000000000';

/** A server with calls by the administrator's script. Closed when the test ends. */
export async function createReadyApp({ env, ...options }: Parameters<typeof createTestApp>[0] = {}) {
  const server = await createTestApp({ env: { SRS_PLATFORM_SECRET: apiSecret, ...env }, ...options });
  onTestFinished(() => server.close());
  const bearer = { authorization: `Bearer ${apiSecret}` };
  const call = (path: string, body: object = {}) => server.post(`/terraform/v1/${path}`, body, bearer);
  return { ...server, call, bearer };
}
