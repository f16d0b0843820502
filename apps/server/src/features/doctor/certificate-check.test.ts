import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { makePair } from '../certs/pem-pair.fixture.ts';
import { openDoctor } from './doctor.fixture.ts';

const dayMs = 24 * 3600_000;

/** HTTPS server with a pair, and the finding of a doctor that has its certificate. */
async function findingOf({ key, crt }: { key: string; crt: string }, name: string, aheadMs = 0) {
  const server = createServer({ key, cert: crt }, (_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const clock = { ...systemClock, dateMs: () => Date.now() + aheadMs };
  const { run, dataDir } = openDoctor({ only: ['certificate'], clock }, { HTTPS_LISTEN: `127.0.0.1:${port}` });
  writeFileSync(join(dataDir, 'config/nginx.crt'), crt);
  return (await run({ name })).get('certificate');
}

it('tells a self-signed certificate, one without its chain, and one that expired, and leads to the settings', async () => {
  const own = makePair();
  expect(await findingOf(own, 'live.example.com')).toMatchObject({ reason: 'certificate.selfSigned', tab: 'https' });
  const authority = makePair({ name: 'ca.example.com' });
  const leaf = makePair({ issuer: authority });
  expect(await findingOf(leaf, 'live.example.com')).toMatchObject({ verdict: 'bad', reason: 'certificate.chain' });
  expect(await findingOf(leaf, 'live.example.com', 100 * dayMs)).toMatchObject({ reason: 'certificate.expired' });
});
