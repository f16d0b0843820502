import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { afterEach, expect, it } from 'vitest';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { AcmeIssuer } from './acme-issuer.ts';
import { CertsRepository } from './certs-repository.ts';
import { Challenges } from './challenges.ts';
import { makeSelfSigned } from './pem-pair.ts';

let authority: Server | undefined;
afterEach(() => authority?.close());

/** An authority that knows everybody and answers every order with the same refusal. */
async function openAuthority(refusal: { status: number; type: string; detail: string }): Promise<AcmeIssuer> {
  const pair = makeSelfSigned(new Date());
  const file = join(mkdtempSync(join(tmpdir(), 'weir-acme-')), 'crt.pem');
  writeFileSync(file, pair.crt);
  const server = createServer({ key: pair.key, cert: pair.crt }, (request, response) => {
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'replay-nonce': 'abc', ...headers })
        .end(JSON.stringify(body));
    if (request.url === '/dir') {
      const paths = { newNonce: '/nonce', newAccount: '/account', newOrder: '/order' };
      answer(200, Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, origin + path])));
    } else if (request.url === '/account') answer(200, { status: 'valid' }, { location: `${origin}/account/1` });
    else if (request.url === '/order') {
      const { status, type, detail } = refusal;
      answer(status, { type: `urn:ietf:params:acme:error:${type}`, detail }, { 'retry-after': '86400' });
    } else answer(200, {});
  });
  authority = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const log = createLog('test', 'error');
  log.level = 'silent';
  return new AcmeIssuer({
    directory: `https://localhost:${(server.address() as AddressInfo).port}/dir`,
    authority: file,
    repository: new CertsRepository(new MemoryStore()),
    challenges: new Challenges(),
    log,
  });
}

it.each([
  { status: 429, type: 'rateLimited', detail: 'too many certificates (5) already issued', fault: 'rate-limited' },
  { status: 400, type: 'rejectedIdentifier', detail: 'the name is on a list', fault: 'rejected' },
  { status: 503, type: 'serverInternal', detail: 'down for maintenance', fault: 'authority' },
])(
  'reports at once why an order is refused with $type, in the words of the authority',
  async ({ fault, ...refusal }) => {
    const issuer = await openAuthority(refusal);
    await expect(issuer.issue('live.example.com')).rejects.toMatchObject({ fault, message: refusal.detail });
  },
);
