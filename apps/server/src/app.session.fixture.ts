import { onTestFinished } from 'vitest';
import { createTestApp } from './app.fixture.ts';

export const mgmt = '/terraform/v1/mgmt';
export const stranger = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'live.example.com' };
export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** Closed when the test ends. */
export async function open(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options);
  onTestFinished(() => app.close());
  return app;
}

/** A server with a password, and a signed-in administrator. Closed when the test ends. */
export async function openReady(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await open(options);
  return { ...app, session: await app.setUp() };
}
